import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearizable } from '../../../src/checkers/index.js'
import { firstBreak, prefix } from '../../../src/checkers/linearizability/prefix.js'
import { prepare } from '../../../src/checkers/linearizability/prepare.js'
import { searchOf } from '../../../src/checkers/linearizability/settle.js'
import { startPacer } from '../../../src/checkers/pacer.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Semantics } from '../../../src/models/model.js'
import { modelNamed } from '../../../src/models/index.js'
import { isLinearizable } from '../brute-force.js'
import { smallHistory } from '../small-history.js'
import { randomHistories } from '../../support/random-histories.js'

const runs = randomHistories(500, 12)

const combinations = (['register', 'cas-register', 'map'] as const).flatMap((model) =>
  (['absent', 'unknown'] as const).flatMap((nullRead) =>
    (['ignored', 'observed'] as const).map((failed) => ({
      model,
      semantics: { init: nullRead === 'absent' ? null : 0, nullRead, failed } satisfies Semantics,
    })),
  ),
)

async function verdict(operations: readonly Operation[], model: string, semantics: Semantics) {
  return linearizable().check({
    operations,
    model: modelNamed(model, semantics),
    collected: null,
    timeoutMs: 60_000,
  })
}

describe.each(combinations)('$model with $semantics', { timeout: 600_000 }, ({ model, semantics }) => {
  it('agrees with the definition on random small histories, and so do its counterexamples', async () => {
    const seen = { true: 0, false: 0 }
    await fc.assert(
      fc.asyncProperty(smallHistory(model, semantics.init), async (operations) => {
        const expected = isLinearizable(operations, semantics)
        const result = await verdict(operations, model, semantics)
        // An empty judgement cannot happen: every generated type is known to the model.
        expect(result.valid).toBe(expected)
        seen[expected ? 'true' : 'false'] += 1
        expect(result.anomalies.length > 0).toBe(!expected)
        for (const anomaly of result.anomalies) {
          const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
          expect(core.length).toBe(anomaly.operations.length)
          expect(isLinearizable(core, semantics)).toBe(false)
        }
      }),
      { numRuns: runs },
    )
    const smallestShare = Math.min(seen.true, seen.false) / (seen.true + seen.false)
    expect(smallestShare).toBeGreaterThan(0.1)
  })

  it('names the first return at which a history breaks', async () => {
    let broken = 0
    await fc.assert(
      fc.asyncProperty(smallHistory(model, semantics.init), async (operations) => {
        const judge = modelNamed(model, semantics)
        for (const partition of prepare(operations, judge).partitions) {
          const search = searchOf(partition.calls, { key: partition.key, model: judge })
          if (search === null || search.advance(1_000_000) !== 'not-linearizable') continue
          const stuckAt = partition.calls[search.stuckAt] ?? expect.fail('a violation breaks at an operation')
          broken += 1
          const at = await firstBreak(partition.calls, stuckAt, {
            key: partition.key,
            model: judge,
            pacer: startPacer({ timeoutMs: 60_000 }),
          })
          const known = (returns: number) =>
            partition.calls
              // What failed never happened, also before that was known.
              .filter(
                (call) =>
                  call.invoke <= returns && (call.seen.outcome !== 'failed' || call.complete <= returns),
              )
              .map((call) => ({
                ...call.operation,
                invoke_ts: call.invoke,
                complete_ts: call.complete <= returns ? call.complete : null,
              }))
          expect(isLinearizable(known(at.complete), semantics)).toBe(false)
          expect(isLinearizable(known(at.complete - 1), semantics)).toBe(true)
          expect(prefix(partition.calls, at).length).toBeGreaterThan(0)
        }
      }),
      { numRuns: Math.ceil(runs / 5) },
    )
    expect(broken).toBeGreaterThan(0)
  })
})
