import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replayEquivalence, type ReplayEquivalenceOptions } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { randomHistories } from '../../support/random-histories.js'
import { operation } from '../operation.js'

const increment = (at: readonly [number, number | null]) => operation({ op_type: 'increment', at })
const answered = increment([0, 1])
const unanswered = increment([2, null])

async function compared(
  live: unknown,
  replayed: unknown,
  {
    operations = [answered],
    ...options
  }: Partial<ReplayEquivalenceOptions<unknown>> & { operations?: readonly Operation[] } = {},
) {
  const reading = (value: unknown) => async () => {
    if (value instanceof Error) throw value
    return value
  }
  const checker = replayEquivalence({ live: reading(live), replayed: reading(replayed), ...options })
  const context = { nodes: [], clients: [], keys: [], operations, signal: new AbortController().signal }
  const collected = await checker.collect!(context)
  return checker.check({ operations, model: null, collected, timeoutMs: 1_000 })
}

describe('replay equivalence', () => {
  it.each<[string, unknown, unknown, Parameters<typeof compared>[2], boolean | 'unknown']>([
    ['the same state', { a: 1 }, { a: 1 }, {}, true],
    ['another value', { a: 1 }, { a: 2 }, {}, false],
    ['a field that does not matter', { a: 1, at: 5 }, { a: 1, at: 6 }, { ignore: ['at'] }, true],
    [
      'an unknown operation may explain it',
      { a: 1 },
      { a: 2 },
      { operations: [answered, unanswered] },
      'unknown',
    ],
    [
      'but not in the own log',
      { a: 1 },
      { a: 2 },
      { operations: [answered, unanswered], from: 'log' },
      false,
    ],
    ['equal in spite of it', { a: 1 }, { a: 1 }, { operations: [unanswered] }, true],
    ['a replay that failed', { a: 1 }, new Error('no log'), {}, 'unknown'],
    ['a state that is no JSON', 1n, 1, {}, 'unknown'],
  ])('%s', async (_, live, replayed, options, valid) => {
    const result = await compared(live, replayed, options)
    expect(result.valid).toBe(valid)
    expect(result.reason === null).toBe(valid !== 'unknown')
  })

  it('says where the states differ', async () => {
    const { anomalies } = await compared({ a: { b: [1, 2] } }, { a: { b: [1] } })
    expect(anomalies[0]?.explanation).toBe(
      'The live state is not what the replay gives: a.b.1 is 2 live and absent after the replay.',
    )
  })

  it('agrees with the definition on random states', async () => {
    const state = fc.dictionary(
      fc.constantFrom('a', 'b', 'at'),
      fc.constantFrom<Json>(1, [1, 2], { c: null }),
      { maxKeys: 3 },
    )
    const seen = { same: 0, other: 0 }
    const property = fc.asyncProperty(state, fc.option(state, { nil: undefined }), async (live, other) => {
      const replayed = other ?? structuredClone(live)
      const without = (state: Record<string, Json>) => JSON.stringify([state['a'], state['b']])
      const same = without(live) === without(replayed)
      seen[same ? 'same' : 'other'] += 1
      expect((await compared(live, replayed, { ignore: ['at'] })).valid).toBe(same)
    })
    const runs = randomHistories(2_000)
    await fc.assert(property, { numRuns: runs })
    expect(Math.min(seen.same, seen.other) / runs).toBeGreaterThan(0.1)
  })

  it('says which option is missing', () => {
    expect(() => replayEquivalence({ live: async () => 1 } as never)).toThrow(DeclarationError)
  })
})
