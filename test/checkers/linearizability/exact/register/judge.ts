import { expect } from 'vitest'
import type { Decision, Part, Violation } from '../../../../../src/checkers/linearizability/part.js'
import type { Operation } from '../../../../../src/history/operation.js'
import { casRegister } from '../../../../../src/models/index.js'
import { isLinearizable } from '../../../brute-force.js'
import { partsOfOperations } from '../../parts.js'
import { randomFrom, randomRegisterHistory, type Random, type RegisterShape } from './random-register.js'

export { randomHistories } from '../../../../support/random-histories.js'

export const semantics = { init: 0, nullRead: 'absent', failed: 'observed' } as const
const model = casRegister(semantics)

/** The part of the history; null when nothing in it matters. */
export function registerPart(operations: readonly Operation[]): Part | null {
  return partsOfOperations(operations, model)[0] ?? null
}

/** The operations of a violation contradict one another with the rest of the history left out, and it can be told. */
export function expectViolation(
  violation: Violation,
  { part, operations }: { part: Part; operations: readonly Operation[] },
): void {
  const core = violation.operations.map((index) => operations[part.source[index] as number] as Operation)
  expect(new Set(core).size).toBe(core.length)
  if (isLinearizable(core, semantics)) {
    throw new Error(
      `these are linearizable: ${violation.type} ${JSON.stringify(core)} of ${JSON.stringify(operations)}`,
    )
  }
  const told = violation.explain({ tell: (index) => `<${index}>`, value: (id) => `«${id}»` })
  expect(told).not.toMatch(/undefined|NaN|-1/)
}

export interface Tally {
  valid: number
  invalid: number
  undecidedValid: number
  undecidedInvalid: number
  withUnknown: number
  types: Record<string, number>
}

/**
 * Compares a checker with the definition on random histories; throws at the first disagreement, and when a violation
 * does not stand by itself.
 */
export function compare(
  decide: (part: Part) => Decision,
  { count, seed, shapeOf }: { count: number; seed: number; shapeOf: (random: Random) => RegisterShape },
): Tally {
  const random = randomFrom(seed)
  const tally: Tally = {
    valid: 0,
    invalid: 0,
    undecidedValid: 0,
    undecidedInvalid: 0,
    withUnknown: 0,
    types: {},
  }
  for (let round = 0; round < count; round += 1) {
    const operations = randomRegisterHistory(random, shapeOf(random))
    const expected = isLinearizable(operations, semantics)
    const part = registerPart(operations)
    if (operations.some(({ complete_ts: completed }) => completed === null)) tally.withUnknown += 1
    if (part === null) {
      expect(expected).toBe(true)
      tally.valid += 1
      continue
    }
    const decision = decide(part)
    if (decision.valid === 'unknown') {
      tally[expected ? 'undecidedValid' : 'undecidedInvalid'] += 1
      continue
    }
    if (decision.valid !== expected) {
      throw new Error(`decided ${decision.valid}, by definition ${expected}: ${JSON.stringify(operations)}`)
    }
    tally[expected ? 'valid' : 'invalid'] += 1
    if (!decision.valid) {
      const { type } = decision.violation
      tally.types[type] = (tally.types[type] ?? 0) + 1
      expectViolation(decision.violation, { part, operations })
    }
  }
  return tally
}

/** Shows the counts of a long run, for which NEMESIS_RANDOM_HISTORIES was set. */
export function report(name: string, tally: object): void {
  if (process.env['NEMESIS_RANDOM_HISTORIES'] !== undefined) console.log(name, tally)
}

/** The smaller of the shares of valid and invalid histories among all. */
export function smallestShare({ valid, invalid, undecidedValid, undecidedInvalid }: Tally): number {
  const all = valid + invalid + undecidedValid + undecidedInvalid
  return Math.min(valid + undecidedValid, invalid + undecidedInvalid) / all
}
