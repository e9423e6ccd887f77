import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { noLostAck, type Checker, type CollectContext } from '../../src/checkers/index.js'
import type { Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'
import { map, register } from '../../src/models/index.js'
import { operation } from './operation.js'

interface Client {
  get(key: string | number | null): Promise<Json>
}

const nodes = [{ name: 'n1' }, { name: 'n2' }]

/** Collects from two nodes that hold the given values, and judges. */
async function check(
  operations: readonly Operation[],
  [first, second]: readonly [Json, Json],
  { from }: { from?: 'each' | 'any' } = {},
) {
  const holding = (value: Json): Client => ({ get: async () => value })
  const checker = noLostAck<Client>({
    final: ({ client, key }) => client.get(key),
    ...(from === undefined ? {} : { from }),
  })
  const collected = await collect(checker, operations, [holding(first), holding(second)])
  return checker.check({ operations, model: register(), collected, timeoutMs: 1_000 })
}

async function collect(
  checker: Checker<Client>,
  operations: readonly Operation[],
  clients: readonly Client[],
  signal = new AbortController().signal,
): Promise<Json> {
  const context: CollectContext<Client> = {
    nodes,
    clients,
    keys: [...new Set(operations.map(({ key }) => key))],
    operations,
    signal,
  }
  return (await checker.collect?.(context)) ?? null
}

const write = (id: number, value: Json, at: [number, number | null]) =>
  operation({ op_id: id, op_type: 'write', input: value, at, key: 'x' })
const add = (id: number, value: Json, at: [number, number | null]) =>
  operation({ op_id: id, op_type: 'add', input: value, at })

describe('noLostAck on registers', () => {
  it('accepts the last acknowledged write on every node', async () => {
    const result = await check([write(1, 'a', [0, 1]), write(2, 'b', [2, 3])], ['b', 'b'])
    expect(result).toMatchObject({
      valid: true,
      operations: 2,
      evidence: { acknowledged: 2, unknown: 0, lost: 0, keysRead: 1, finalReads: 2, failedReads: 0 },
    })
  })

  it('finds the write that one replica lost', async () => {
    const operations = [write(1, 'a', [0, 1]), write(2, 'b', [2, 3])]
    const result = await check(operations, ['b', 'a'])
    expect(result).toMatchObject({ valid: false, evidence: { lost: 1 } })
    expect(result.anomalies).toMatchObject([{ type: 'lost-acknowledged-write', operations: [2] }])
    expect(result.anomalies[0]?.explanation).toBe(
      'The final value of key "x" on n2 is "a", from operation 1, although write("b") (operation 2) had been ' +
        'acknowledged and began after that one had returned',
    )
    expect(await check(operations, ['b', 'a'], { from: 'any' })).toMatchObject({ valid: true })
    expect(await check(operations, ['a', 'a'], { from: 'any' })).toMatchObject({ valid: false })
  })

  it('lets writes that overlapped be last in either order', async () => {
    const overlapping = [write(1, 'a', [0, 5]), write(2, 'b', [3, 9])]
    expect(await check(overlapping, ['a', 'a'])).toMatchObject({ valid: true })
    expect(await check(overlapping, ['b', 'b'])).toMatchObject({ valid: true })
    const lost = await check(overlapping, [null, null])
    expect(lost.anomalies).toMatchObject([{ type: 'lost-acknowledged-write', operations: [1, 2] }])
  })

  it('takes an unknown write for neither acknowledged nor rejected', async () => {
    const operations = [write(1, 'a', [0, null]), write(2, 'b', [2, 3])]
    expect(await check(operations, ['a', 'a'])).toMatchObject({ valid: true, evidence: { unknown: 1 } })
    expect(await check(operations, ['b', 'b'])).toMatchObject({ valid: true })
  })

  it('names a value that nobody wrote, and asks about a failed write of it', async () => {
    const failed = { ...write(7, 'z', [4, 5]), error: 'ECONNRESET' }
    const result = await check([write(1, 'a', [0, 1]), failed], ['z', 'a'])
    expect(result.anomalies).toMatchObject([{ type: 'unexpected-value', operations: [7] }])
    expect(result.anomalies[0]?.explanation).toContain('was that a timeout?')
  })

  it('reads a delete as a write of null, and of a cas the new value', async () => {
    const remove = operation({ op_id: 2, op_type: 'delete', at: [2, 3], key: 'x' })
    expect(await check([write(1, 'a', [0, 1]), remove], [null, null])).toMatchObject({ valid: true })
    expect(await check([write(1, 'a', [0, 1]), remove], ['a', 'a'])).toMatchObject({ valid: false })
    const cas = operation({ op_id: 3, op_type: 'cas', input: ['a', 'b'], output: true, at: [2, 3], key: 'x' })
    expect(await check([write(1, 'a', [0, 1]), cas], ['a', 'b'])).toMatchObject({ valid: false })
    const refused = { ...cas, output: false }
    expect(await check([write(1, 'a', [0, 1]), refused], ['a', 'a'])).toMatchObject({ valid: true })
  })

  it('agrees with the definition: some order of the writes, each in its time, leaves the final value', async () => {
    const step = fc.record({
      value: fc.integer({ min: 0, max: 2 }),
      invoke: fc.integer({ min: 0, max: 9 }),
      length: fc.integer({ min: 0, max: 4 }),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'unknown', 'failed'),
    })
    const seen = { true: 0, false: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0, 1, 2, null),
        async (steps, final) => {
          const operations = steps.map(({ value, invoke, length, outcome }, id) => ({
            ...write(id, value, [invoke, outcome === 'unknown' ? null : invoke + length]),
            ...(outcome === 'failed' ? { error: 'refused' } : {}),
          }))
          if (!operations.some(({ complete_ts: end, error }) => end !== null && error === null)) return
          const expected = leaves(
            operations.filter(({ complete_ts: end, error }) => end === null || error === null),
            null,
            final,
          )
          expect((await check(operations, [final, final])).valid).toBe(expected)
          seen[expected ? 'true' : 'false'] += 1
        },
      ),
      { numRuns: 1_000 },
    )
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100)
  })
})

/** Tries every order. */
function leaves(left: readonly Operation[], current: Json, final: Json): boolean {
  if (current === final && left.every(({ complete_ts: end }) => end === null)) return true
  return left.some(
    (next) =>
      !left.some(({ complete_ts: end }) => end !== null && end < next.invoke_ts) &&
      leaves(
        left.filter((other) => other !== next),
        next.input,
        final,
      ),
  )
}

describe('noLostAck on sets, queues and logs', () => {
  it('lists each acknowledged element that is missing somewhere', async () => {
    const operations = [add(1, 'a', [0, 1]), add(2, 'b', [0, 1]), add(3, 'c', [0, null])]
    const result = await check(operations, [['a', 'b'], ['b']])
    expect(result.anomalies).toMatchObject([{ type: 'lost-acknowledged-write', operations: [1] }])
    expect(result.anomalies[0]?.explanation).toContain('the element is missing on n2')
    expect(result.evidence).toMatchObject({ acknowledged: 2, unknown: 1, lost: 1 })
    expect(await check(operations, [['a'], ['b', 'c']], { from: 'any' })).toMatchObject({ valid: true })
  })

  it('names an element that nobody added', async () => {
    const result = await check(
      [add(1, 'a', [0, 1])],
      [
        ['a', 'q'],
        ['a', 'q'],
      ],
    )
    expect(result.anomalies).toMatchObject([{ type: 'unexpected-value', operations: [] }])
  })

  it('does not miss what was removed on purpose, and doubts what an unanswered removal may have taken', async () => {
    const queue = [add(1, 'a', [0, 1]), add(2, 'b', [0, 1])]
    const taken = operation({ op_type: 'dequeue', output: 'a', at: [2, 3] })
    const lostAnswer = operation({ op_type: 'dequeue', at: [4, null] })
    expect(await check([...queue, taken], [['b'], ['b']])).toMatchObject({ valid: true })
    const doubtful = await check([...queue, lostAnswer], [['b'], ['b']])
    expect(doubtful).toMatchObject({ valid: 'unknown', reason: expect.stringContaining('may have taken') })
    expect(await check([...queue, lostAnswer], [[], []])).toMatchObject({ valid: false })
  })
})

describe('noLostAck', () => {
  const operations = [write(1, 'a', [0, 1])]

  it('is unknown when final reads fail, unless the others show a loss', async () => {
    const checker = noLostAck<Client>({ final: ({ client, key }) => client.get(key) })
    const down: Client = { get: () => Promise.reject(new Error('ECONNREFUSED')) }
    const good: Client = { get: async () => 'a' }
    const bad: Client = { get: async () => null }
    const judge = async (clients: Client[]) =>
      checker.check({
        operations,
        model: null,
        collected: await collect(checker, operations, clients),
        timeoutMs: 1_000,
      })
    expect(await judge([good, down])).toMatchObject({
      valid: 'unknown',
      reason: '1 of 2 final reads failed, the first key "x" on n2: ECONNREFUSED',
    })
    expect(await judge([bad, down])).toMatchObject({ valid: false })
  })

  it('does not wait for a client that never answers once it is cancelled', async () => {
    const checker = noLostAck<Client>({ final: ({ client, key }) => client.get(key) })
    const silent: Client = { get: () => new Promise(() => {}) }
    const collected = await collect(checker, operations, [silent], AbortSignal.timeout(20))
    expect(collected).toMatchObject([{ error: 'the final reads were cancelled' }])
  })

  it('records an answer that is no JSON value as a failed read', async () => {
    const checker = noLostAck({ final: () => 5n })
    expect(await collect(checker, operations, [{ get: async () => 1 }])).toMatchObject([
      { error: expect.stringContaining('no JSON value') },
    ])
  })

  it('is unknown without final reads or acknowledged writes', async () => {
    const checker = noLostAck({ final: () => null })
    const without = await checker.check({ operations, model: null, collected: null, timeoutMs: 1_000 })
    expect(without).toMatchObject({ valid: 'unknown', reason: expect.stringContaining('no final reads') })
    expect(await check([write(1, 'a', [0, null])], [null, null])).toMatchObject({ valid: 'unknown' })
  })

  it('refuses wrong options and takes the client type of its scenario', () => {
    expect(() => noLostAck({ final: 'get' as never })).toThrow(/noLostAck\(\).*final/s)
    expect(() => noLostAck({ final: () => 1, from: 'some' as never })).toThrow(/from/)
    const checkers: Checker<Client>[] = [
      noLostAck({
        final: ({ client, key }) => {
          expectTypeOf(client).toEqualTypeOf<Client>()
          return client.get(key)
        },
      }),
    ]
    expect(checkers[0]?.misfit(map(), ['durability'])).toBeNull()
    expect(checkers[0]?.misfit(map(), ['safety'])).toContain('use linearizable')
    expect(checkers[0]?.misfit(null, ['durability'])).toBeNull()
  })
})
