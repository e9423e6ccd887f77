import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Checker } from '../../../src/checkers/checker.js'
import { noDuplicates } from '../../../src/checkers/queues/no-duplicates.js'
import { noUnexpected } from '../../../src/checkers/queues/no-unexpected.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { randomHistories } from '../../support/random-histories.js'
import { operation } from '../operation.js'
import { isExpected, isWithoutDuplicates } from './brute-force.js'
import { randomQueue } from './random-queue.js'

const judge = (checker: Checker, operations: readonly Operation[]) =>
  checker.check({ operations, model: null, collected: null, timeoutMs: 1_000 })

const append = (input: Json, at: [number, number | null], error?: string) =>
  operation({ op_type: 'append', input, at, ...(error === undefined ? {} : { error }) })
const read = (records: Json, at: [number, number]) =>
  operation({ op_type: 'read', output: { from: 0, records }, at })
const list = (output: Json, at: [number, number]) => operation({ op_type: 'read', output, at })

describe('noDuplicates', () => {
  it.each<[string, readonly Operation[], boolean | 'unknown']>([
    [
      'a record read by two consumers',
      [append('a', [0, 1]), read([[0, 'a']], [2, 3]), read([[0, 'a']], [2, 3])],
      true,
    ],
    [
      'a record at two offsets',
      [
        append('a', [0, 1]),
        read(
          [
            [0, 'a'],
            [1, 'a'],
          ],
          [2, 3],
        ),
      ],
      false,
    ],
    [
      'at two offsets, shown by two reads',
      [append('a', [0, 1]), read([[0, 'a']], [2, 3]), read([[4, 'a']], [5, 6])],
      false,
    ],
    [
      'twice, and perhaps appended twice',
      [
        append('a', [0, 1]),
        append('a', [0, null]),
        read(
          [
            [0, 'a'],
            [1, 'a'],
          ],
          [2, 3],
        ),
      ],
      true,
    ],
    ['twice in a list', [append('a', [0, 1]), list(['a', 'a'], [2, 3])], false],
    ['once in each of two lists', [append('a', [0, 1]), list(['a'], [2, 3]), list(['b', 'a'], [2, 3])], true],
    ['nothing read', [append('a', [0, 1])], 'unknown'],
  ])('on logs: %s', async (_, operations, valid) => {
    expect(await judge(noDuplicates(), operations)).toMatchObject({ valid })
  })

  it('tells objects apart by their fields, in any order', async () => {
    const operations = [
      append({ a: 1, b: [2] }, [0, 1]),
      append({ a: 1, b: [3] }, [0, 1]),
      list(
        [
          { b: [2], a: 1 },
          { b: [3], a: 1 },
        ],
        [2, 3],
      ),
    ]
    expect(await judge(noDuplicates(), operations)).toMatchObject({ valid: true })
    expect(await judge(noUnexpected(), operations)).toMatchObject({ valid: true })
  })
})

describe('noUnexpected', () => {
  it.each<[string, readonly Operation[], boolean | 'unknown']>([
    ['of an append', [append('a', [0, 1]), read([[3, 'a']], [2, 3])], true],
    ['of an unknown append', [append('a', [0, null]), read([[3, 'a']], [2, 3])], true],
    ['of a failed append', [append('a', [0, 1], 'aborted'), read([[3, 'a']], [2, 3])], false],
    ['of a later append', [read([[3, 'a']], [2, 3]), append('a', [4, 5])], false],
    ['of nobody', [append('a', [0, 1]), list(['a', 'z'], [2, 3])], false],
    ['nothing read', [append('a', [0, 1])], 'unknown'],
  ])('on logs: %s', async (_, operations, valid) => {
    expect(await judge(noUnexpected(), operations)).toMatchObject({ valid })
  })
})

describe.each([
  {
    checker: noDuplicates(),
    definition: isWithoutDuplicates,
    spoils: ['no', 'again', 'again', 'stray', 'lose'] as const,
  },
  { checker: noUnexpected(), definition: isExpected, spoils: ['no', 'no', 'no', 'again', 'stray'] as const },
])('$checker.name', ({ checker, definition, spoils }) => {
  it('agrees with the definition on random small histories, and so do its counterexamples', async () => {
    const seen = { true: 0, false: 0 }
    await fc.assert(
      fc.asyncProperty(randomQueue({ spoils }), async (operations) => {
        const expected = [...new Set(operations.map(({ key }) => key))].every((key) =>
          definition(operations.filter((one) => one.key === key)),
        )
        const { valid, anomalies } = await judge(checker, operations)
        if (valid !== 'unknown') seen[`${expected}`] += 1
        expect(valid === 'unknown' ? true : valid).toBe(expected)
        for (const anomaly of anomalies) {
          const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
          expect(core.length).toBe(anomaly.operations.length)
          expect(definition(core)).toBe(false)
        }
      }),
      { numRuns: randomHistories(500) },
    )
    expect(Math.min(seen.true, seen.false) / (seen.true + seen.false), JSON.stringify(seen)).toBeGreaterThan(
      0.1,
    )
  }, 600_000)
})
