import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearizable } from '../../../../src/checkers/index.js'
import { outcomeOf, type Operation } from '../../../../src/history/operation.js'
import { modelNamed } from '../../../../src/models/index.js'
import type { Semantics } from '../../../../src/models/model.js'
import { isLinearizable } from '../../brute-force.js'
import { smallHistory } from '../../small-history.js'
import { randomHistories } from '../../../support/random-histories.js'

const runs = randomHistories(500, 3)
const semantics: Semantics = { init: 0, nullRead: 'absent', failed: 'observed' }

/** What was known of an object just before (or with) a return. Ties: calls first, returns in order of invocation. */
function knownAt(
  operations: readonly Operation[],
  brokenAt: Operation,
  { inclusive }: { inclusive: boolean },
) {
  const end = brokenAt.complete_ts ?? Infinity
  const own = operations.filter(({ key, invoke_ts: start }) => key === brokenAt.key && start <= end)
  const isReturned = (one: Operation) => {
    if (one === brokenAt) return inclusive
    if (one.complete_ts === null || one.complete_ts > end) return false
    return one.complete_ts < end || isBefore(one, brokenAt, operations)
  }
  return own.flatMap((one) => {
    if (isReturned(one) || outcomeOf(one) === 'unknown') return [one]
    // It will turn out to have had no effect.
    if (inclusive && (outcomeOf(one) === 'failed' || one.output === false)) return []
    return outcomeOf(one) === 'failed'
      ? []
      : [{ ...one, complete_ts: null, output: null, timeout_marker: true }]
  })
}

function isBefore(a: Operation, b: Operation, operations: readonly Operation[]): boolean {
  if (a.invoke_ts !== b.invoke_ts) return a.invoke_ts < b.invoke_ts
  return operations.indexOf(a) < operations.indexOf(b)
}

describe.each(['register', 'cas-register', 'map'] as const)(
  'the break of a %s',
  { timeout: 600_000 },
  (name) => {
    it('is the first return that cannot be explained', async () => {
      let broken = 0
      await fc.assert(
        fc.asyncProperty(smallHistory(name, 0), async (operations) => {
          const model = modelNamed(name, semantics)
          const { anomalies } = await linearizable().check({
            operations,
            model,
            collected: null,
            timeoutMs: 60_000,
          })
          for (const { break: at } of anomalies) {
            if (at === undefined) continue
            broken += 1
            const brokenAt = operations.find(({ op_id: id }) => id === at.brokenAt) as Operation
            const own = operations.filter(({ key }) => key === brokenAt.key)
            expect(isLinearizable(knownAt(operations, brokenAt, { inclusive: false }), semantics)).toBe(true)
            expect(isLinearizable(knownAt(operations, brokenAt, { inclusive: true }), semantics)).toBe(false)
            const ids = new Set(own.map(({ op_id: id }) => id))
            expect(at.pending.every(({ operation }) => ids.has(operation))).toBe(true)
            expect(at.prefix.answers).toBeLessThan(at.prefix.of)
          }
        }),
        { numRuns: runs },
      )
      expect(broken).toBeGreaterThan(runs / 20)
    })
  },
)
