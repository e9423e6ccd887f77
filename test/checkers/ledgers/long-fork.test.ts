import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longFork } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import type { Json } from '../../../src/json.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

type Micro = readonly [string, string, Json]

/** The claim read by read and key by key, for reads of the same keys. */
function hasNoFork(operations: readonly Operation[]): boolean {
  const reads = operations
    .filter((one) => outcomeOf(one) === 'ok' && one.op_type === 'read')
    .map(
      ({ output }) => new Map((output as unknown as Micro[]).map(([, key, value]) => [key, value !== null])),
    )
  return !reads.some((one) =>
    reads.some((other) => {
      const keys = [...one.keys()]
      if (one.size !== other.size || !keys.every((key) => other.has(key))) return false
      const seen = (read: typeof one, key: string) => read.get(key) === true
      return keys.some((x) =>
        keys.some((y) => seen(one, x) && !seen(one, y) && seen(other, y) && !seen(other, x)),
      )
    }),
  )
}

const step = fc.record({
  keys: fc.constantFrom(['x', 'y'], ['x', 'y', 'z'], ['z', 'y', 'x'], ['z', 'x', 'y']),
  moment: fc.nat(3),
  stray: fc.nat(2),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
})

/** Reads of keys that are written one after the other, x first; some of them show x too late. */
const histories = fc.array(step, { maxLength: 8, size: 'max' }).map((steps) =>
  steps.map(({ keys, moment, stray, outcome }, n) => {
    const isWritten = (key: string) => (key === 'x' && stray === 0 ? 3 : 'xyz'.indexOf(key)) < moment
    const output = keys.map((key) => ['r', key, isWritten(key) ? 1 : null])
    return operation({
      op_id: n,
      op_type: 'read',
      at: [n, outcome === 'unknown' ? null : n + 1],
      input: keys.map((key) => ['r', key, null]),
      output: outcome === 'ok' ? output : null,
      ...(outcome === 'failed' ? { error: 'refused' } : {}),
    })
  }),
)

describe('longFork', () => {
  const txn = (output: Json, more: Partial<Operation> = {}) =>
    operation({ op_type: 'txn', at: [0, 1], output, ...more })
  const r = (key: Json, value: Json): Json => ['r', key, value]

  it.each([
    ['opposite orders', [txn([r(0, 1), r(1, null)]), txn([r(1, 1), r(0, null)])], false],
    ['the same order', [txn([r(0, 1), r(1, null)]), txn([r(1, 1), r(0, 1)])], true],
    ['opposite orders in objects', [txn({ a: 1, b: null }), txn({ a: null, b: 1 })], false],
    ['opposite orders of lists', [txn([r(0, [1]), r(1, [])]), txn([r(1, [2]), r(0, null)])], false],
    [
      'opposite orders of unknown outcome',
      [txn([r(0, 1), r(1, null)]), txn(null, { complete_ts: null })],
      true,
    ],
    ['reads of other keys', [txn([r(0, 1), r(1, null)]), txn([r(1, 1), r(2, null)])], true],
    [
      'a read of a write of its own',
      [txn([['w', 0, 1], r(0, 1), r(1, null), r(2, null)]), txn([r(1, 1), r(0, null)])],
      true,
    ],
    [
      'a key that is emptied',
      [txn(null, { op_type: 'delete', key: 0 }), txn([r(0, 1), r(1, null)]), txn([r(1, 1), r(0, null)])],
      'unknown',
    ],
    ['nothing', [], 'unknown'],
  ] as const)('%s', async (_, operations, valid) => {
    expect((await judged(longFork(), operations)).valid).toBe(valid)
  })

  it('compares reads of the size that it is told', async () => {
    const forked = [txn([r(0, 1), r(1, null)]), txn([r(1, 1), r(0, null)]), txn([r(0, 1), r(1, 1), r(2, 1)])]
    const { valid, evidence } = await judged(longFork({ groupSize: 3 }), forked)
    expect(valid).toBe(true)
    expect(evidence).toMatchObject({ reads: 1, readsOfOtherSizes: 2 })
    expect(() => longFork({ groupSize: 1 })).toThrow(DeclarationError)
  })

  it('agrees with the definition', { timeout: 1_800_000 }, async () => {
    const runs = randomHistories(2_000)
    await againstDefinition(longFork(), { histories, runs, isValid: hasNoFork })
  })

  const file = '../shared/corpora/elle-cli/jepsen-long-fork.ndjson'
  it.skipIf(!existsSync(file))(
    'finds the fork of Jepsen (needs the corpora beside the repository)',
    async () => {
      const { operations } = await readHistory(file)
      const { valid, anomalies } = await judged(longFork({ groupSize: 3 }), operations)
      expect(valid).toBe(false)
      expect(anomalies[0]?.explanation).toMatch(
        /saw key 1 written and not key 2.*saw key 2 written and not key 1/,
      )
    },
  )
})
