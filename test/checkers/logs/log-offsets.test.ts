import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logOffsets, type LogOffsetsOptions } from '../../../src/checkers/logs/log-offsets.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { log } from '../../../src/models/index.js'
import type { Model } from '../../../src/models/model.js'
import { randomHistories } from '../../support/random-histories.js'
import { operation } from '../operation.js'
import { hasSoundOffsets } from './brute-force.js'
import { randomLog } from './random-log.js'

const judge = (
  operations: readonly Operation[],
  options: LogOffsetsOptions = {},
  model: Model | null = null,
) => logOffsets(options).check({ operations, model, collected: null, timeoutMs: 1_000 })

const append = (id: number, input: Json, output: Json, at: [number, number | null]) =>
  operation({ op_id: id, process_id: 0, op_type: 'append', key: 'k', input, output, at })
const read = (id: number, from: number, records: Json) =>
  operation({
    op_id: id,
    process_id: 1,
    op_type: 'read',
    key: 'k',
    input: { from },
    output: { from, records },
    at: [20, 21],
  })
const list = (id: number, output: Json) =>
  operation({ op_id: id, process_id: 1, op_type: 'read', key: 'k', output, at: [20, 21] })

describe('logOffsets', () => {
  const a = append(1, 'a', 10, [0, 1])
  const b = append(2, 'b', { value: 'b', offset: 11 }, [2, 3])
  const c = append(3, 'c', 12, [4, 5])

  it.each<
    [string, readonly Operation[], LogOffsetsOptions, boolean | 'unknown', readonly (string | number)[]]
  >([
    [
      'in a row',
      [
        a,
        b,
        c,
        read(4, 10, [
          [10, 'a'],
          [11, 'b'],
          [12, 'c'],
        ]),
      ],
      {},
      true,
      [],
    ],
    ['a short read', [a, b, c, read(4, 10, [[10, 'a']])], {}, true, []],
    ['a read of nothing', [a, b, read(4, 10, [])], {}, true, []],
    ['one offset twice', [a, append(5, 'x', 10, [2, 3])], {}, false, [1, 5]],
    ['one offset twice, with equal entries', [a, append(5, 'a', 10, [2, 3])], {}, false, [1, 5]],
    ['another entry there', [a, read(4, 10, [[10, 'x']])], {}, false, [1, 4]],
    ['two entries there', [read(4, 0, [[0, 'x']]), read(5, 0, [[0, 'y']])], {}, false, [4, 5]],
    ['lists that differ', [append(1, 'a', null, [0, 1]), list(4, ['a']), list(5, ['b'])], {}, false, [4, 5]],
    [
      'an acknowledged one left out',
      [
        a,
        b,
        c,
        read(4, 10, [
          [10, 'a'],
          [12, 'c'],
        ]),
      ],
      { gaps: 'allowed' },
      false,
      [2, 4],
    ],
    [
      'one that begins behind it',
      [
        a,
        b,
        c,
        read(4, 10, [
          [11, 'b'],
          [12, 'c'],
        ]),
      ],
      {},
      false,
      [1, 4],
    ],
    [
      'an offset shown twice',
      [
        a,
        read(4, 10, [
          [10, 'a'],
          [10, 'a'],
        ]),
      ],
      {},
      false,
      [4],
    ],
    [
      'a gap in an answer',
      [
        read(4, 0, [
          [0, 'x'],
          [2, 'y'],
        ]),
      ],
      {},
      false,
      [4],
    ],
    [
      'a gap in an answer, allowed',
      [
        read(4, 0, [
          [0, 'x'],
          [2, 'y'],
        ]),
      ],
      { gaps: 'allowed' },
      true,
      [],
    ],
    ['a gap between appends', [a, c], {}, false, [1, 3]],
    ['a gap between appends, allowed', [a, c], { gaps: 'allowed' }, true, []],
    ['a gap that an unknown one may fill', [a, append(2, 'b', null, [2, null]), c], {}, true, []],
    [
      'a gap, and an unknown one that is elsewhere',
      [
        a,
        append(2, 'b', null, [2, null]),
        c,
        read(4, 12, [
          [12, 'c'],
          [13, 'b'],
        ]),
      ],
      {},
      false,
      [1, 3],
    ],
    ['a failed append', [a, { ...append(2, 'b', null, [2, 3]), error: 'refused' }, c], {}, false, [1, 3]],
    ['no offset known', [append(1, 'a', null, [0, 1])], {}, 'unknown', []],
    ['only unknown', [append(1, 'a', null, [0, null])], {}, 'unknown', []],
    ['nothing', [], {}, 'unknown', []],
    [
      'a watch',
      [operation({ op_type: 'watch', output: { revisions: [3, 9] }, at: [0, 1] })],
      {},
      'unknown',
      [],
    ],
  ])('%s', async (_, operations, options, valid, found) => {
    const result = await judge(operations, options)
    expect(result).toMatchObject({ valid })
    expect(new Set(result.anomalies[0]?.operations)).toEqual(new Set(found))
  })

  it('knows what was there at first', async () => {
    const model = log({ init: ['first'] })
    expect(await judge([append(1, 'a', 1, [0, 1])], {}, model)).toMatchObject({ valid: true })
    const taken = await judge([append(1, 'a', 0, [0, 1])], {}, model)
    expect(taken.anomalies[0]?.explanation).toBe(
      'append("a") on "k" by process 0 (operation 1) was given offset 0, and it held an entry from before the history',
    )
  })

  it('explains', async () => {
    const lost = await judge([
      a,
      b,
      c,
      read(4, 10, [
        [10, 'a'],
        [12, 'c'],
      ]),
    ])
    expect(lost.anomalies.map(({ explanation }) => explanation)).toEqual([
      'append("b") on "k" by process 0 (operation 2) was given offset 11, and read({"from":10}) on "k" by process 1 ' +
        '(operation 4) passes it without showing it',
      'read({"from":10}) on "k" by process 1 (operation 4) leaves out offset 11',
    ])
    expect(lost.evidence).toEqual({
      logs: 1,
      offsets: 3,
      answered: 3,
      reads: 1,
      records: 2,
      reused: 0,
      unreadable: 1,
      repeated: 0,
      gaps: 1,
      anomalies: 2,
    })
  })

  it('refuses wrong options', () => {
    expect(() => logOffsets({ gaps: 'some' as never })).toThrow(/logOffsets\(\).*gaps/s)
  })

  it.each(['none', 'allowed'] as const)(
    'agrees with the definition on random small histories, and so do its counterexamples: gaps %s',
    async (gaps) => {
      const seen = { true: 0, false: 0 }
      await fc.assert(
        fc.asyncProperty(randomLog(), async (operations) => {
          const expected = hasSoundOffsets(operations, gaps)
          const { valid, anomalies } = await judge(operations, { gaps })
          expect(valid === 'unknown' ? true : valid).toBe(expected)
          if (valid !== 'unknown') seen[`${expected}`] += 1
          for (const anomaly of anomalies) {
            const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
            expect(core.length).toBe(anomaly.operations.length)
            expect(hasSoundOffsets(core, gaps)).toBe(false)
          }
        }),
        { numRuns: randomHistories(500, 2) },
      )
      expect(
        Math.min(seen.true, seen.false) / (seen.true + seen.false),
        JSON.stringify(seen),
      ).toBeGreaterThan(0.1)
    },
    600_000,
  )
})
