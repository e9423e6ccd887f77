import fc from 'fast-check'
import { expect } from 'vitest'
import type { ExactChecker } from '../../../../src/checkers/linearizability/part.js'
import type { Operation } from '../../../../src/history/operation.js'
import type { Model } from '../../../../src/models/model.js'
import { isLinearizableBy } from './by-model.js'
import { smallPart } from './small-part.js'
import { randomHistories } from '../../../support/random-histories.js'

const runs = randomHistories(1_000)

/** Enough for hundreds of thousands of histories on a slow machine. */
export const patienceMs = 1_800_000

/**
 * Holds a checker against the definition on random histories: it must agree wherever it decides, its violations must
 * be violations by themselves and told in words, and both verdicts must be at least a tenth of all histories. Returns
 * the share of histories that it left undecided.
 */
export function expectAgreement(
  checker: ExactChecker,
  model: Model,
  histories: fc.Arbitrary<Operation[]>,
): number {
  const seen = { true: 0, false: 0, unknown: 0 }
  fc.assert(
    fc.property(histories, (operations) => {
      const part = smallPart(operations, model)
      const decision = part?.object === checker.object ? checker.decide(part) : null
      if (decision === null || decision.valid === 'unknown') {
        if (decision !== null && 'reason' in decision) expect(decision.reason).not.toBe('')
        seen.unknown += 1
        return
      }
      const expected = isLinearizableBy(model, operations)
      expect(decision.valid).toBe(expected)
      seen[expected ? 'true' : 'false'] += 1
      if (decision.valid || part === null) return
      const { violation } = decision
      const core = violation.operations.map((i) => operations[part.source[i]!]!)
      expect(core).not.toContain(undefined)
      expect(new Set(core).size).toBe(core.length)
      expect(isLinearizableBy(model, core)).toBe(false)
      const invoked = violation.operations.map((i) => part.invoke[i]!)
      expect(invoked).toEqual(invoked.toSorted((a, b) => a - b))
      const words = violation.explain({ tell: (i) => `operation ${i}`, value: (id) => `value ${id}` })
      expect(words).toMatch(/\.$/)
      expect(words).not.toMatch(/undefined|NaN|(operation|value) -1/)
    }),
    { numRuns: runs },
  )
  if (process.env['NEMESIS_RANDOM_HISTORIES'] !== undefined) console.log(checker.name, model.name, seen)
  expect(Math.min(seen.true, seen.false) / runs).toBeGreaterThan(0.1)
  return seen.unknown / runs
}
