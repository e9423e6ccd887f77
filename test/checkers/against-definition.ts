import fc from 'fast-check'
import { expect } from 'vitest'
import type { Checker, CheckResult } from '../../src/checkers/index.js'
import type { Operation } from '../../src/history/operation.js'
import type { Model } from '../../src/models/model.js'

/** What a checker makes of a recorded history alone. */
export function judged(
  checker: Checker,
  operations: readonly Operation[],
  model: Model | null = null,
): Promise<CheckResult> {
  return checker.check({ operations, model, collected: null, timeoutMs: 60_000 })
}

/** How a checker is held against the definition of its claim. */
interface Definition {
  readonly histories: fc.Arbitrary<Operation[]>
  readonly runs: number
  /** The answer by the definition, or null where the definition cannot say. */
  readonly isValid: (operations: readonly Operation[]) => boolean | null
  readonly model?: Model
  /** Whether the operations of an anomaly must be a violation by themselves. Default true. */
  readonly cores?: boolean
}

/**
 * Holds a checker against the definition of its claim on random histories: it must agree wherever it decides, say why
 * where it does not, name operations of the history in each anomaly that violate the claim by themselves, and each
 * verdict must be at least a tenth of all. Returns the share of histories that it left undecided.
 */
export async function againstDefinition(
  checker: Checker,
  { histories, runs, isValid, model, cores = true }: Definition,
): Promise<number> {
  const seen = { true: 0, false: 0, unknown: 0 }
  await fc.assert(
    fc.asyncProperty(histories, async (operations) => {
      const { valid, reason, anomalies } = await judged(checker, operations, model ?? null)
      seen[`${valid}`] += 1
      if (valid === 'unknown') {
        expect(reason).not.toBe('')
        return
      }
      const expected = isValid(operations)
      if (expected !== null) expect(valid).toBe(expected)
      expect(anomalies.length > 0).toBe(!valid)
      for (const { operations: ids, explanation } of anomalies) {
        expect(explanation).toMatch(/\.$/)
        expect(explanation).not.toMatch(/undefined|NaN|\[object/)
        expect(new Set(ids).size).toBe(ids.length)
        const core = operations.filter(({ op_id: id }) => ids.includes(id))
        expect(core.length).toBe(ids.length)
        if (cores) expect(isValid(core)).toBe(false)
      }
    }),
    { numRuns: runs },
  )
  if (process.env['NEMESIS_RANDOM_HISTORIES'] !== undefined) console.log(checker.name, seen)
  expect(Math.min(seen.true, seen.false) / runs).toBeGreaterThan(0.1)
  return seen.unknown / runs
}
