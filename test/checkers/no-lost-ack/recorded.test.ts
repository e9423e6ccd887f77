import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noLostAck, type NoLostAckOptions } from '../../../src/checkers/index.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { counter, log, map, queue, register, set } from '../../../src/models/index.js'
import type { Model } from '../../../src/models/model.js'
import { randomHistories } from '../../support/random-histories.js'
import { partsOf, shownBy } from '../logs/brute-force.js'
import { randomLog } from '../logs/random-log.js'
import { operation } from '../operation.js'
import { drainedBy, explains, facts, isWithoutDuplicates } from '../queues/brute-force.js'
import { randomQueue } from '../queues/random-queue.js'
import { randomSet } from './random-set.js'

const judge = (
  operations: readonly Operation[],
  model: Model | null = null,
  options: NoLostAckOptions<never> = {},
) => noLostAck(options).check({ operations, model, collected: null, timeoutMs: 1_000 })

type At = [number, number | null]
const made = (id: number, type: string, input: Json, output: Json, at: At) =>
  operation({ op_id: id, process_id: id, op_type: type, input, output, at })
const write = (id: number, value: Json, at: At) => made(id, 'write', value, null, at)
const add = (id: number, value: Json, at: At) => made(id, 'add', value, null, at)
const read = (id: number, output: Json, at: At, input: Json = null) => made(id, 'read', input, output, at)
const create = (id: number, row: Json, at: At) => made(id, 'create', row, row, at)
const query = (id: number, filter: Json, ids: Json, at: At) => made(id, 'query', filter, { ids }, at)
const enqueue = (id: number, value: Json, at: At) => made(id, 'enqueue', value, null, at)
const dequeue = (id: number, output: Json, at: At) => made(id, 'dequeue', null, output, at)
const append = (id: number, value: Json, output: Json, at: At) => made(id, 'append', value, output, at)

describe('noLostAck on recorded registers', () => {
  it.each<[string, readonly Operation[], boolean | 'unknown']>([
    ['read last', [write(1, 'a', [0, 1]), write(2, 'b', [2, 3]), read(3, 'b', [4, 5])], true],
    ['read too early', [write(1, 'a', [0, 1]), read(3, 'a', [2, 3]), write(2, 'b', [4, 5])], 'unknown'],
    ['an older one', [write(1, 'a', [0, 1]), write(2, 'b', [2, 3]), read(3, 'a', [4, 5])], false],
    [
      'an older one, and then the last',
      [write(1, 'a', [0, 1]), write(2, 'b', [2, 3]), read(3, 'a', [4, 5]), read(4, 'b', [6, 7])],
      true,
    ],
    [
      'two reads at once, one of them right',
      [write(1, 'a', [0, 1]), write(2, 'b', [2, 3]), read(3, 'a', [4, 6]), read(4, 'b', [5, 7])],
      true,
    ],
    ['an unknown one', [write(1, 'a', [0, 1]), write(2, 'b', [2, null]), read(3, 'b', [4, 5])], true],
    [
      'one that began only later',
      [write(1, 'a', [0, 1]), read(3, 'b', [4, 5]), write(2, 'b', [6, null])],
      false,
    ],
    ['nothing acknowledged', [write(1, 'a', [0, null]), read(3, null, [4, 5])], 'unknown'],
    ['nothing', [], 'unknown'],
  ])('%s', async (_, operations, valid) => {
    expect(await judge(operations, register())).toMatchObject({ valid })
  })

  it('reads null as null, whatever was there at first', async () => {
    const model = map({ init: 'first' })
    const deleted = made(1, 'delete', null, null, [0, 1])
    const get = (output: Json) => made(2, 'get', null, output, [2, 3])
    expect(await judge([deleted, get(null)], model)).toMatchObject({ valid: true })
    expect(await judge([deleted, get('first')], model)).toMatchObject({ valid: false })
  })

  it('explains', async () => {
    const found = await judge([write(1, 'a', [0, 1]), read(3, null, [4, 5])], register())
    expect(found.anomalies).toEqual([
      {
        type: 'lost-acknowledged-write',
        explanation:
          'The final value in read() by process 3 (operation 3) is null, as before any write, although write("a") ' +
          '(operation 1) had been acknowledged',
        operations: [1, 3],
      },
    ])
  })

  it('knows that a number is no list of what was added to it', async () => {
    const operations = [add(1, 2, [0, 1]), add(2, 3, [2, 3]), read(3, 5, [4, 5])]
    expect(await judge(operations)).toMatchObject({
      valid: 'unknown',
      reason: expect.stringContaining('no read answers the list'),
    })
    expect(await judge(operations, counter())).toMatchObject({
      valid: 'unknown',
      reason: expect.stringContaining('counter'),
    })
  })
})

describe('noLostAck on recorded sets and tables', () => {
  it.each<[string, readonly Operation[], boolean | 'unknown']>([
    ['all there', [add(1, 'a', [0, 1]), read(2, ['a'], [2, 3])], true],
    ['as value', [add(1, 'a', [0, 1]), read(2, { value: ['a'] }, [2, 3])], true],
    ['one gone', [add(1, 'a', [0, 1]), read(2, ['a'], [2, 3]), read(3, [], [4, 5])], false],
    ['one late', [add(1, 'a', [0, 1]), read(2, [], [2, 3]), read(3, ['a'], [4, 5])], true],
    [
      'added after the last read',
      [add(1, 'a', [0, 1]), read(2, ['a'], [2, 3]), add(4, 'b', [4, 5])],
      'unknown',
    ],
    [
      'removed and added again',
      [add(1, 'a', [0, 1]), made(2, 'remove', 'a', null, [2, 3]), add(3, 'a', [4, 5]), read(4, [], [6, 7])],
      false,
    ],
    ['removed', [add(1, 'a', [0, 1]), made(2, 'remove', 'a', null, [2, 3]), read(4, [], [6, 7])], true],
    ['never read', [add(1, 'a', [0, 1])], 'unknown'],
  ])('%s', async (_, operations, valid) => {
    expect(await judge(operations, set())).toMatchObject({ valid })
  })

  it('asks of each row only the queries that ask for it', async () => {
    const rows = [
      create(1, { id: 't1', color: 'red' }, [0, 1]),
      create(2, { id: 't2', color: 'blue' }, [0, 1]),
    ]
    const there = await judge([...rows, query(3, { color: 'red' }, ['t1'], [2, 3])])
    expect(there).toMatchObject({ valid: true, coverage: 'subset', evidence: { unasked: 1, lost: 0 } })
    const gone = await judge([
      ...rows,
      query(3, { color: 'red' }, ['t1'], [2, 3]),
      query(4, null, ['t1'], [4, 5]),
    ])
    expect(gone).toMatchObject({ valid: false, coverage: 'all', anomalies: [{ operations: [2, 3, 4] }] })
  })

  it('agrees with the definition on random small sets, and so do its counterexamples', async () => {
    await crossCheck({ make: randomSet(), definition: setOf, model: set() })
  }, 600_000)
})

describe('noLostAck on recorded queues', () => {
  const [one, two] = [enqueue(1, 'a', [0, 1]), enqueue(2, 'b', [2, 3])]

  it('takes what a first-in-first-out queue passed over for lost', async () => {
    const operations = [one, two, dequeue(3, 'b', [4, 5])]
    expect(await judge(operations, queue())).toMatchObject({
      valid: false,
      anomalies: [{ operations: [1, 2, 3] }],
    })
    expect(await judge(operations)).toMatchObject({ valid: 'unknown' })
    expect(await judge([...operations, dequeue(4, 'a', [6, 7])], queue())).toMatchObject({ valid: true })
    expect(await judge([...operations, dequeue(4, null, [3, null])], queue())).toMatchObject({
      valid: 'unknown',
    })
    expect(await judge(operations, null, { drained: true })).toMatchObject({ valid: false })
  })

  it('agrees with the definition on random small queues, and so do its counterexamples', async () => {
    const spoils = ['no', 'no', 'no', 'lose'] as const
    // Copies that come out twice are not what is asked here.
    const make = randomQueue({ spoils }).filter((operations) =>
      ['k', null].every((key) => isWithoutDuplicates(operations.filter((one) => one.key === key))),
    )
    await crossCheck({ make, definition: queueOf, model: queue() })
  }, 600_000)
})

describe('noLostAck on recorded logs', () => {
  it('judges an entry by the reads that pass it', async () => {
    const entries = [append(1, 'a', 0, [0, 1]), append(2, 'b', 1, [2, 3])]
    const slice = (records: Json, at: At) => read(3, { from: 0, records }, at, { from: 0 })
    expect(
      await judge(
        [
          ...entries,
          slice(
            [
              [0, 'a'],
              [1, 'b'],
            ],
            [4, 5],
          ),
        ],
        log(),
      ),
    ).toMatchObject({ valid: true })
    expect(await judge([...entries, slice([[0, 'a']], [4, 5])], log())).toMatchObject({ valid: 'unknown' })
    expect(await judge([...entries, slice([[1, 'b']], [4, 5])], log())).toMatchObject({ valid: false })
    expect(await judge([...entries, read(3, ['a'], [4, 5])], log())).toMatchObject({ valid: false })
  })

  it('agrees with the definition on random small logs, and so do its counterexamples', async () => {
    await crossCheck({
      make: randomLog({ isReadBack: true, spoils: ['lose', 'lose', 'leave-out', 'leave-out'] }),
      definition: logOf,
      model: log(),
    })
  }, 600_000)
})

async function crossCheck({
  make,
  definition,
  model,
}: {
  make: fc.Arbitrary<Operation[]>
  definition: (operations: readonly Operation[]) => boolean | 'unknown'
  model: Model
}): Promise<void> {
  const seen = { true: 0, false: 0, unknown: 0 }
  await fc.assert(
    fc.asyncProperty(make, async (operations) => {
      const expected = definition(operations)
      const { valid, anomalies } = await judge(operations, model)
      expect(valid).toBe(expected)
      seen[`${expected}`] += 1
      for (const anomaly of anomalies) {
        const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
        expect(core.length).toBe(anomaly.operations.length)
        expect(definition(core)).toBe(false)
      }
    }),
    { numRuns: randomHistories(500, 3) },
  )
  const all = seen.true + seen.false + seen.unknown
  expect(Math.min(seen.true, seen.false) / all, JSON.stringify(seen)).toBeGreaterThan(0.1)
}

const isOk = (one: Operation) => outcomeOf(one) === 'ok'
const after = (later: Operation, earlier: Operation) => later.invoke_ts > Number(earlier.complete_ts)

/** An acknowledged element is lost when a read that began after it, and every read from then on, does not show it. */
function shows(
  entry: Operation,
  { passing, showing }: { passing: readonly Operation[]; showing: (read: Operation) => boolean },
): boolean | 'unknown' {
  const asked = passing.filter((one) => after(one, entry))
  if (asked.length === 0) return 'unknown'
  const isLost = asked.some(
    (one) => !passing.some((other) => showing(other) && Number(other.complete_ts) >= one.invoke_ts),
  )
  return !isLost
}

function setOf(operations: readonly Operation[]): boolean | 'unknown' {
  const reads = operations.filter((one) => one.op_type === 'read' && isOk(one))
  const removes = operations.filter((one) => one.op_type === 'remove' && outcomeOf(one) !== 'failed')
  const adds = operations.filter((one) => one.op_type === 'add' && isOk(one))
  const answers = adds.map((one) => {
    const answer = shows(one, {
      passing: reads,
      showing: ({ output }) => (output as Json[]).includes(one.input),
    })
    const mayBeGone = removes.some(
      (other) => other.input === one.input && !(isOk(other) && after(one, other)),
    )
    return answer === false && mayBeGone ? true : answer
  })
  return together(answers)
}

function logOf(operations: readonly Operation[]): boolean | 'unknown' {
  const { appends, offsetOf } = partsOf(operations)
  const reads = operations.filter((one) => one.op_type === 'read' && isOk(one))
  const answers = appends.filter(isOk).map((one) => {
    const offset = offsetOf(one)
    const showing = (other: Operation) =>
      shownBy(other).records.some(([at, value]) => value === one.input && (offset === null || at === offset))
    const passing = reads.filter((other) => {
      const { isList, from, records } = shownBy(other)
      if (isList || offset === null) return isList || showing(other)
      const offsets = records.map(([at]) => at)
      return offsets.includes(offset) || (from <= offset && offsets.some((at) => at > offset))
    })
    return shows(one, { passing, showing })
  })
  return together(answers)
}

function together(answers: readonly (boolean | 'unknown')[]): boolean | 'unknown' {
  if (answers.includes(false)) return false
  return answers.length === 0 || answers.includes('unknown') ? 'unknown' : true
}

/** Every way to say what came out is tried, and what did not must have: after a drain all, else what was passed. */
function queueOf(operations: readonly Operation[]): boolean | 'unknown' {
  const parts = [...new Set(operations.map(({ key }) => key))].map((key) => {
    const part = operations.filter((one) => one.key === key)
    // Only losses are asked for: what came from nowhere or once too often is not counted.
    return withoutStrays(part)
  })
  const acked = parts.flatMap((part) => facts(part).puts.filter(isOk))
  const isExplained = parts.every((part) => {
    const { puts, out } = facts(part)
    const end = drainedBy(part)
    if (end !== null) return explains(part, puts.filter(isOk), end)
    const passing = out.flatMap(({ operation: taken, value }) => {
      const from = Math.min(...puts.filter(({ input }) => input === value).map((put) => put.invoke_ts))
      return [{ from, end: Number(taken.complete_ts) }]
    })
    const latest = Math.max(...passing.map(({ from }) => from))
    const by = Math.min(...passing.filter(({ from }) => from === latest).map((one) => one.end))
    const passed = puts.filter((put) => isOk(put) && Number(put.complete_ts) < latest)
    return explains(part, passed, by)
  })
  if (!isExplained) return false
  if (acked.length === 0) return 'unknown'
  return parts.every((part) => explains(part, facts(part).puts.filter(isOk), null)) ? true : 'unknown'
}

function withoutStrays(operations: readonly Operation[]): readonly Operation[] {
  const { puts } = facts(operations)
  const isKnown = (value: Json, taken: Operation) =>
    puts.some((put) => put.input === value && put.invoke_ts <= Number(taken.complete_ts))
  return operations.flatMap((one) => {
    if (one.output === null) return [one]
    if (one.op_type === 'drain') {
      return [{ ...one, output: (one.output as Json[]).filter((value) => isKnown(value, one)) }]
    }
    return isKnown(one.output, one) ? [one] : []
  })
}
