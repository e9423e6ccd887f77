import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sequential } from '../../../src/checkers/index.js'
import type { Operation } from '../../../src/history/operation.js'
import { modelNamed } from '../../../src/models/index.js'
import type { Semantics } from '../../../src/models/model.js'
import { smallHistory } from '../small-history.js'
import { isSequential } from './brute-force.js'
import { randomHistories } from '../../support/random-histories.js'

const runs = randomHistories(500, 12)

const combinations = (['register', 'cas-register', 'map'] as const).flatMap((model) =>
  (['repeated', 'distinct'] as const).flatMap((values) =>
    (['ignored', 'observed'] as const).map((failed) => ({ model, values, failed })),
  ),
)

/** Gives every write a value of its own, and every read of a value that was written the value of some write of it. */
function withDistinctValues(operations: readonly Operation[]): Operation[] {
  const written = new Map<unknown, number[]>()
  const renamed = operations.map((operation) => {
    if (operation.op_type !== 'write' && operation.op_type !== 'put') return operation
    const value = 10 + Number(operation.op_id)
    written.set(operation.input, [...(written.get(operation.input) ?? []), value])
    return { ...operation, input: value, output: null }
  })
  return renamed.map((operation) => {
    const values = written.get(operation.output)
    const isRead = operation.op_type === 'read' || operation.op_type === 'get'
    return isRead && values
      ? { ...operation, output: values[Number(operation.op_id) % values.length] ?? null }
      : operation
  })
}

describe.each(combinations)('$model, $values values, failures $failed', { timeout: 600_000 }, (given) => {
  it('agrees with the definition on random small histories, and so do its counterexamples', async () => {
    const semantics: Semantics = { init: null, nullRead: 'absent', failed: given.failed }
    const seen = { true: 0, false: 0 }
    await fc.assert(
      fc.asyncProperty(
        smallHistory(given.model, null),
        fc.integer({ min: 1, max: 4 }),
        async (made, processes) => {
          const named = made.map((operation, index) => ({ ...operation, process_id: index % processes }))
          const operations = given.values === 'distinct' ? withDistinctValues(named) : named
          const expected = isSequential(operations, semantics)
          const { valid, anomalies } = await sequential().check({
            operations,
            model: modelNamed(given.model, semantics),
            collected: null,
            timeoutMs: 60_000,
          })
          expect(valid).toBe(expected)
          seen[expected ? 'true' : 'false'] += 1
          expect(anomalies.length).toBe(expected ? 0 : 1)
          for (const anomaly of anomalies) {
            const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
            expect(core.length).toBe(anomaly.operations.length)
            expect(isSequential(core, semantics)).toBe(false)
            expect(anomaly.explanation.length).toBeLessThan(600)
          }
        },
      ),
      { numRuns: runs },
    )
    expect(Math.min(seen.true, seen.false) / (seen.true + seen.false)).toBeGreaterThan(0.1)
  })
})
