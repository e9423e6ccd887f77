import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  prefixOrder,
  type PrefixOrderOptions,
} from '../../../src/checkers/queues/prefix-order/prefix-order.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { randomHistories } from '../../support/random-histories.js'
import { operation } from '../operation.js'
import { partsOf } from '../logs/brute-force.js'
import { randomLog } from '../logs/random-log.js'
import { facts } from './brute-force.js'
import { randomQueue } from './random-queue.js'

const judge = (operations: readonly Operation[], options: PrefixOrderOptions = {}) =>
  prefixOrder(options).check({ operations, model: null, collected: null, timeoutMs: 1_000 })

type At = [number, number | null]
const enqueue = (input: Json, at: At, process = 'p') =>
  operation({ process_id: process, op_type: 'enqueue', input, at })
const dequeue = (output: Json, at: At) => operation({ process_id: 'c', op_type: 'dequeue', output, at })
const append = (input: Json, output: Json, at: At, process = 'p') =>
  operation({ process_id: process, op_type: 'append', key: 'k', input, output, at })
const read = (output: Json, at: [number, number], input: Json = null) =>
  operation({ process_id: 'c', op_type: 'read', key: 'k', input, output, at })
const watch = (revisions: readonly number[], at: [number, number], from?: number) =>
  operation({
    process_id: 'c',
    op_type: 'watch',
    input: from === undefined ? null : { from },
    output: { revisions: [...revisions] },
    at,
  })

describe('prefixOrder', () => {
  const a = enqueue('a', [0, 1])
  const b = enqueue('b', [2, 3])
  const c = enqueue('c', [4, 5])

  it.each<[string, readonly Operation[], PrefixOrderOptions, boolean | 'unknown']>([
    ['in order', [a, b, dequeue('a', [6, 7]), dequeue('b', [8, 9])], {}, true],
    ['overtaken', [a, b, dequeue('b', [6, 7]), dequeue('a', [8, 9])], {}, false],
    ['overtaken within the window', [a, b, dequeue('b', [6, 7]), dequeue('a', [8, 9])], { window: 1 }, true],
    [
      'overtaken by more',
      [a, b, c, dequeue('c', [6, 7]), dequeue('b', [8, 9]), dequeue('a', [10, 11])],
      { window: 1 },
      false,
    ],
    ['taken at once', [a, b, dequeue('b', [6, 8]), dequeue('a', [7, 9])], {}, true],
    ['put at once', [a, enqueue('b', [1, 3]), dequeue('b', [6, 7]), dequeue('a', [8, 9])], {}, true],
    [
      'by two producers',
      [a, enqueue('b', [2, 3], 'q'), dequeue('b', [6, 7]), dequeue('a', [8, 9])],
      {},
      true,
    ],
    [
      'by two producers, of one key',
      [a, enqueue('b', [2, 3], 'q'), dequeue('b', [6, 7]), dequeue('a', [8, 9])],
      { per: 'key' },
      false,
    ],
    [
      'put without an answer',
      [enqueue('a', [0, null]), b, dequeue('b', [6, 7]), dequeue('a', [8, 9])],
      {},
      true,
    ],
    ['delivered again', [a, b, dequeue('a', [6, 7]), dequeue('b', [8, 9]), dequeue('a', [10, 11])], {}, true],
    ['lost', [a, b, c, dequeue('a', [6, 7]), dequeue('c', [8, 9])], {}, true],
    [
      'equal elements',
      [a, b, enqueue('a', [4, 5]), dequeue('b', [6, 7]), dequeue('a', [8, 9])],
      {},
      'unknown',
    ],
    [
      'equal elements, both late',
      [a, enqueue('a', [2, 3]), c, dequeue('c', [6, 7]), dequeue('a', [8, 9])],
      {},
      false,
    ],
    ['nothing', [], {}, 'unknown'],
    ['only unknown', [enqueue('a', [0, null]), dequeue(null, [0, null])], {}, 'unknown'],
    ['nothing out', [a, b], {}, 'unknown'],
  ])('queue: %s', async (_, operations, options, valid) => {
    expect(await judge(operations, options)).toMatchObject({ valid })
  })

  it.each<[string, readonly Operation[], PrefixOrderOptions, boolean | 'unknown']>([
    ['offsets that grow', [append('a', 3, [0, 1]), append('b', 5, [2, 3])], {}, true],
    ['offsets that fall', [append('a', 5, [0, 1]), append('b', { offset: 3 }, [2, 3])], {}, false],
    ['offsets that fall a little', [append('a', 5, [0, 1]), append('b', 3, [2, 3])], { window: 1 }, true],
    ['offsets of overlapping appends', [append('a', 5, [0, 2]), append('b', 3, [2, 3])], {}, true],
    ['two producers', [append('a', 5, [0, 1]), append('b', 3, [2, 3], 'q')], {}, true],
    [
      'an order that only reads show',
      [append('a', null, [0, 1]), append('b', null, [2, 3]), read(['b', 'a'], [4, 5])],
      {},
      false,
    ],
    [
      'lists of one log',
      [append('a', null, [0, 1]), append('b', null, [2, 3]), read(['a'], [4, 5]), read(['a', 'b'], [6, 7])],
      {},
      true,
    ],
    [
      'lists that differ',
      [append('a', null, [0, 3]), append('b', null, [0, 3]), read(['a'], [4, 5]), read(['b', 'a'], [6, 7])],
      {},
      false,
    ],
    [
      'a hole',
      [
        read(
          {
            from: 3,
            records: [
              [3, 'a'],
              [5, 'b'],
            ],
          },
          [0, 1],
        ),
      ],
      {},
      true,
    ],
    [
      'records out of turn',
      [
        read(
          {
            from: 3,
            records: [
              [5, 'b'],
              [3, 'a'],
            ],
          },
          [0, 1],
        ),
      ],
      {},
      false,
    ],
    [
      'records out of turn within the window',
      [
        read(
          {
            from: 3,
            records: [
              [5, 'b'],
              [6, 'c'],
              [3, 'a'],
            ],
          },
          [0, 1],
        ),
      ],
      { window: 2 },
      true,
    ],
    ['records before the position', [read({ records: [[2, 'b']] }, [0, 1], { from: 3 })], {}, false],
    ['a watch begun again', [watch([3, 4, 5], [0, 1], 3), watch([3, 4], [2, 3], 3)], {}, true],
    ['a watch that goes on', [watch([3, 4, 5], [0, 1]), watch([6, 7], [2, 3])], {}, true],
    ['a watch that goes back', [watch([3, 4, 5], [0, 1]), watch([4], [2, 3])], {}, false],
    ['watches side by side', [watch([3, 4, 5], [0, 2]), watch([3], [1, 3])], {}, true],
  ])('log: %s', async (_, operations, options, valid) => {
    expect(await judge(operations, options)).toMatchObject({ valid })
  })

  it('explains', async () => {
    const late = { ...dequeue('a', [8, 9]), op_id: 9 }
    const early = { ...dequeue('b', [6, 7]), op_id: 7 }
    const found = await judge([{ ...a, op_id: 1 }, { ...b, op_id: 2 }, early, late])
    expect(found.anomalies).toEqual([
      {
        type: 'overtaken-element',
        explanation:
          'enqueue("a") by process p (operation 1) had returned before enqueue("b") by process p (operation 2) ' +
          'began, but operation 9 took it only after operation 7 had taken the later one',
        operations: [1, 2, 7, 9],
      },
    ])
    const moved = await judge([append('a', 5, [0, 1]), append('b', 3, [2, 3])])
    expect(moved.anomalies[0]?.explanation).toContain('it stands at offset 5, behind the later one at 3')
  })

  it('refuses wrong options', () => {
    expect(() => prefixOrder({ window: -1 })).toThrow(/prefixOrder\(\).*window/s)
    expect(() => prefixOrder({ per: 'topic' as never })).toThrow(/per/)
  })
})

interface Copy {
  readonly put: Operation
  readonly out: readonly Operation[]
}

/** Some element was overtaken by more than the window, by the definition, with each element's puts and deliveries known. */
function isOrdered(copies: readonly Copy[], { window, per }: Required<PrefixOrderOptions>): boolean {
  const came = copies.filter(({ out }) => out.length > 0)
  const before = (x: Operation, y: Operation) => outcomeOf(x) === 'ok' && Number(x.complete_ts) < y.invoke_ts
  return came.every((one) => {
    const overtakers = came.filter(
      (other) =>
        other.put.key === one.put.key &&
        (per === 'key' || other.put.process_id === one.put.process_id) &&
        before(one.put, other.put) &&
        other.out.some((early) => one.out.every((late) => before(early, late))),
    )
    return overtakers.length <= window
  })
}

/** Every way to say of which put each delivery is: a redelivery is of the same put as another. */
function* readings(operations: readonly Operation[]): Generator<readonly Copy[]> {
  const { puts, out } = facts(operations)
  const choose = function* (
    index: number,
    given: ReadonlyMap<Operation, readonly Operation[]>,
  ): Generator<ReadonlyMap<Operation, readonly Operation[]>> {
    const coming = out[index]
    if (coming === undefined) {
      yield given
      return
    }
    const sources = puts.filter((put) => put.input === coming.value && put.key === coming.operation.key)
    if (sources.length === 0) yield* choose(index + 1, given)
    for (const put of sources) {
      yield* choose(index + 1, new Map(given).set(put, [...(given.get(put) ?? []), coming.operation]))
    }
  }
  for (const given of choose(0, new Map())) yield puts.map((put) => ({ put, out: given.get(put) ?? [] }))
}

const someOptions = fc.record({
  window: fc.constantFrom(0, 0, 0, 1),
  per: fc.constantFrom('producer', 'key'),
})

describe('prefixOrder on random small histories', () => {
  it('agrees with the definition where values are distinct, and so do its counterexamples', async () => {
    const seen = { true: 0, false: 0 }
    const spoils = ['no', 'swap', 'swap', 'swap', 'again'] as const
    await fc.assert(
      fc.asyncProperty(randomQueue({ distinct: true, spoils }), someOptions, async (operations, options) => {
        const [reading = []] = readings(operations)
        const expected = isOrdered(reading, options)
        const { valid, anomalies } = await judge(operations, options)
        expect(valid === 'unknown' ? true : valid).toBe(expected)
        if (valid !== 'unknown') seen[`${expected}`] += 1
        for (const anomaly of anomalies) {
          const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
          expect(core.length).toBe(anomaly.operations.length)
          const [part = []] = readings(core)
          expect(isOrdered(part, options)).toBe(false)
        }
      }),
      { numRuns: randomHistories(1_000, 3) },
    )
    expect(Math.min(seen.true, seen.false) / (seen.true + seen.false), JSON.stringify(seen)).toBeGreaterThan(
      0.1,
    )
  }, 600_000)

  it('is never wrong where values repeat: what it says holds however they are told apart', async () => {
    const seen = { true: 0, false: 0, unknown: 0 }
    await fc.assert(
      fc.asyncProperty(randomQueue(), someOptions, async (operations, options) => {
        const { valid } = await judge(operations, options)
        seen[`${valid}`] += 1
        if (valid === 'unknown') return
        for (const reading of readings(operations)) expect(isOrdered(reading, options)).toBe(valid)
      }),
      { numRuns: randomHistories(500, 3) },
    )
    expect(seen.false, JSON.stringify(seen)).toBeGreaterThan(0)
    expect(seen.true).toBeGreaterThan(0)
  }, 600_000)

  it('agrees with the definition on logs of distinct values, and so do its counterexamples', async () => {
    const seen = { true: 0, false: 0 }
    const window = fc.constantFrom(0, 0, 0, 1)
    const disorder = ['ahead', 'ahead', 'ahead', 'turn', 'turn', 'early', 'other', 'reuse'] as const
    await fc.assert(
      fc.asyncProperty(
        randomLog({ distinct: true, spoils: disorder }),
        window,
        async (operations, allowed) => {
          const expected = isPrefixLog(operations, allowed)
          const { valid, anomalies } = await judge(operations, { window: allowed, per: 'key' })
          expect(valid === 'unknown' ? true : valid).toBe(expected)
          if (valid !== 'unknown') seen[`${expected}`] += 1
          for (const anomaly of anomalies) {
            const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
            expect(core.length).toBe(anomaly.operations.length)
            expect(isPrefixLog(core, allowed)).toBe(false)
          }
        },
      ),
      { numRuns: randomHistories(500, 3) },
    )
    expect(Math.min(seen.true, seen.false) / (seen.true + seen.false), JSON.stringify(seen)).toBeGreaterThan(
      0.1,
    )
  }, 600_000)
})

/** The claim on one log whose entries are distinct, by its definition. */
function isPrefixLog(operations: readonly Operation[], window: number): boolean {
  const { appends, reads, offsetOf } = partsOf(operations)
  const shown = reads.flatMap(({ records }) => records)
  if (shown.some(([at, value]) => shown.some(([other, held]) => other === at && held !== value))) return false
  for (const { records, from, isList } of reads) {
    if (isList) continue
    for (const [i, [offset]] of records.entries()) {
      if (offset < from) return false
      if (records.slice(0, i).filter(([before]) => before > offset).length > window) return false
    }
  }
  const answered = new Set(appends.map(offsetOf))
  const placed = appends.flatMap((append) => {
    const seen = shown.filter(([offset, value]) => value === append.input && !answered.has(offset))
    const offset = offsetOf(append) ?? Math.min(...seen.map(([at]) => at))
    return Number.isFinite(offset) ? [{ append, offset }] : []
  })
  return placed.every(({ append, offset }) => {
    if (append.complete_ts === null) return true
    const end = append.complete_ts
    const ahead = placed.filter((other) => other.append.invoke_ts > end && other.offset < offset)
    return ahead.length <= window
  })
}
