import { describe, expect, it } from 'vitest'
import { linearizable } from '../../../src/checkers/index.js'
import type { Operation } from '../../../src/history/operation.js'
import { casRegister, model, register, type Model } from '../../../src/models/index.js'
import { operation } from '../operation.js'

const check = (operations: readonly Operation[], of: Model | null = register(), timeoutMs = 30_000) =>
  linearizable().check({ operations, model: of, collected: null, timeoutMs })

const write = (id: number, value: number, at: [number, number | null], key: string | null = null) =>
  operation({ op_id: id, op_type: 'write', input: value, at, key })
const read = (id: number, value: number | null, at: [number, number], key: string | null = null) =>
  operation({ op_id: id, op_type: 'read', output: value, at, key })

describe('linearizable', () => {
  it('accepts a history and counts what it did', async () => {
    const result = await check([
      write(1, 1, [0, 5], 'x'),
      read(2, 1, [3, 4], 'x'),
      read(3, null, [0, 9], 'y'),
    ])
    expect(result).toMatchObject({ valid: true, reason: null, operations: 3, coverage: 'all', anomalies: [] })
    expect(result.evidence).toMatchObject({ operations: 3, partitions: 2, decided: 2 })
  })

  it('tells a stale read by what had been acknowledged before it, with times in seconds', async () => {
    const ms = (from: number, to: number): [number, number] => [from * 1e6, to * 1e6]
    const { valid, anomalies, evidence } = await check([
      write(1, 17, ms(0, 1)),
      write(2, 18, ms(931, 940)),
      read(3, 18, ms(950, 960)),
      read(4, 17, ms(970, 1_980)),
      read(5, 18, ms(2_000, 2_001)),
    ])
    expect(valid).toBe(false)
    expect(evidence).toMatchObject({ exact: 1, searched: 0 })
    expect(anomalies).toMatchObject([{ type: 'stale-value', operations: [1, 2, 4] }])
    expect(anomalies[0]?.explanation).toMatch(
      /read -> 17 \(operation 4 by process \d+, 0\.970 s to 1\.980 s\) saw 17/,
    )
    expect(anomalies[0]?.explanation).toMatch(
      /write\(18\) \(operation 2 by process \d+, 0\.931 s to 0\.940 s\)/,
    )
  })

  it('searches where values repeat, and tells what it finds', async () => {
    const { valid, anomalies, evidence } = await check([
      write(1, 17, [0, 1]),
      write(2, 18, [2, 3]),
      read(3, 17, [4, 5]),
      write(4, 17, [6, 7]),
    ])
    expect(valid).toBe(false)
    expect(evidence['operations']).toBe(4)
    expect(anomalies).toMatchObject([{ type: 'stale-value', operations: [1, 2, 3] }])
  })

  it('asks whether a failed write was a timeout when its value is read', async () => {
    const failed = { ...write(1, 2, [0, 1]), error: 'ETIMEDOUT' }
    const { anomalies } = await check([failed, read(2, 2, [2, 3])])
    expect(anomalies[0]?.type).toBe('value-never-written')
    expect(anomalies[0]?.explanation).toContain('recorded as failed (ETIMEDOUT): was that a timeout')
  })

  it('names the write that came too late for a read', async () => {
    const { anomalies } = await check([read(1, 5, [0, 1]), write(2, 5, [2, 3])])
    expect(anomalies).toMatchObject([{ type: 'value-from-the-future', operations: [1, 2] }])
  })

  it('finds a few operations among thousands', async () => {
    const operations = Array.from({ length: 3_000 }, (_, i) =>
      i % 2 === 0 ? write(i, i, [i * 10, i * 10 + 15]) : read(i, i - 1, [i * 10 + 6, i * 10 + 8]),
    )
    operations[2_501] = read(2_501, 20, [25_016, 25_018])
    const { valid, anomalies } = await check(operations)
    expect(valid).toBe(false)
    expect(anomalies[0]?.operations).toContain(2_501)
    expect(anomalies[0]?.operations.length).toBeLessThanOrEqual(4)
  })

  it('lets an unanswered write take effect at any later time, or never', async () => {
    const unanswered = write(1, 1, [0, null])
    expect(await check([unanswered, read(2, null, [5, 6]), read(3, 1, [7, 8])])).toMatchObject({
      valid: true,
    })
    expect(await check([unanswered, read(2, 1, [5, 6]), read(3, null, [7, 8])])).toMatchObject({
      valid: false,
    })
  })

  it('takes operations that touch at one moment for concurrent', async () => {
    expect(await check([write(1, 1, [0, 5]), read(2, null, [5, 6])])).toMatchObject({ valid: true })
    expect(await check([write(1, 1, [0, 5]), read(2, null, [6, 7])])).toMatchObject({ valid: false })
  })

  it('reports a violation for each key that has one', async () => {
    const broken = (key: string, id: number) => [write(id, 1, [0, 1], key), read(id + 1, null, [2, 3], key)]
    const { anomalies } = await check([...broken('x', 1), ...broken('y', 3), write(5, 1, [0, 1], 'z')])
    expect(anomalies.map(({ operations }) => operations)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('leaves operations alone that the model does not know, and says so', async () => {
    const foreign = operation({ op_type: 'enqueue', input: 1, at: [0, 1] })
    expect(await check([foreign, write(1, 1, [0, 1])])).toMatchObject({ operations: 1, coverage: 'subset' })
    const nothing = await check([foreign])
    expect(nothing).toMatchObject({ valid: 'unknown', operations: 0 })
    expect(nothing.reason).toContain('only enqueue')
  })

  it('needs a model', async () => {
    expect(await check([write(1, 1, [0, 1])], null)).toMatchObject({ valid: 'unknown', operations: 0 })
    expect(linearizable().misfit(null, ['safety'])).toContain('declare a model')
    expect(linearizable().misfit(register(), ['durability'])).toContain('use no-lost-ack')
    expect(linearizable().misfit(register(), ['durability', 'safety'])).toBeNull()
  })

  it('names the operation that the model cannot read', async () => {
    const cas = operation({ op_id: 'c1', op_type: 'cas', input: 3, at: [0, 1] })
    await expect(check([cas], casRegister())).rejects.toThrow(/operation "c1": cas-register: cas takes/)
  })

  it('judges by a model of the user and keeps its appends in the counterexample', async () => {
    const log = model({
      name: 'log',
      operations: ['append', 'read'],
      observers: ['read'],
      init: () => [] as number[],
      step: (state, { type, input, output }) => {
        if (type === 'append') return [...state, Number(input)]
        return JSON.stringify(state) === JSON.stringify(output) ? state : undefined
      },
    })
    const append = (id: number, input: number, at: [number, number]) =>
      operation({ op_id: id, op_type: 'append', input, at })
    const list = (id: number, output: number[], at: [number, number]) =>
      operation({ op_id: id, op_type: 'read', output, at })
    const { valid, anomalies } = await check(
      [append(1, 1, [0, 1]), append(2, 2, [2, 3]), list(3, [1, 2], [4, 5]), list(4, [2, 1], [6, 7])],
      log,
    )
    expect(valid).toBe(false)
    expect(anomalies[0]?.operations).toEqual([1, 2, 4])
  })

  describe('on a history that is too hard', () => {
    // Many overlapping appends, none of whose orders gives what was read: every order must be tried.
    const hard = [
      ...Array.from({ length: 24 }, (_, i) =>
        operation({ op_type: 'append', input: `${i},`, at: [i, 1_000 + i] }),
      ),
      operation({ op_type: 'get', output: 'none of them', at: [2_000, 2_001] }),
    ]
    const text = model({
      name: 'text',
      operations: ['append', 'get'],
      init: () => '',
      step: (state, { type, input, output }) =>
        type === 'append' ? `${state}${String(input)}` : state === output ? state : undefined,
    })

    it('answers unknown when time runs out, and says what would help', async () => {
      const startedAt = performance.now()
      const result = await check(hard, text, 300)
      expect(result.valid).toBe('unknown')
      expect(result.reason).toMatch(
        /time limit of 0.3 s ran out after \d+ configurations, with 0 of 1 partitions/,
      )
      expect(result.reason).toContain('the model text is not of a type that an exact checker knows')
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    })

    it('lets timers run meanwhile, and stops when it is cancelled', async () => {
      const cancel = new AbortController()
      let ticks = 0
      const timer = setInterval(() => {
        ticks += 1
        if (ticks === 5) cancel.abort()
      }, 1)
      const result = await linearizable().check({
        operations: hard,
        model: text,
        collected: null,
        timeoutMs: 60_000,
        signal: cancel.signal,
      })
      clearInterval(timer)
      expect(result).toMatchObject({ valid: 'unknown', reason: expect.stringContaining('cancelled') })
    })
  })
})
