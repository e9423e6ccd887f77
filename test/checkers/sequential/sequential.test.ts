import { describe, expect, it } from 'vitest'
import { sequential } from '../../../src/checkers/index.js'
import type { Operation } from '../../../src/history/operation.js'
import { kvStringAppend, register, type Model } from '../../../src/models/index.js'
import { operation } from '../operation.js'

const check = (
  operations: readonly Operation[],
  {
    model = register(),
    sessionOrder,
    timeoutMs = 30_000,
  }: { model?: Model | null; sessionOrder?: boolean; timeoutMs?: number } = {},
) =>
  sequential(sessionOrder === undefined ? {} : { sessionOrder }).check({
    operations,
    model,
    collected: null,
    timeoutMs,
  })

const by = (process: string, id: number, key: string) => ({
  op_id: id,
  process_id: process,
  key,
  at: [id * 10, id * 10 + 5] as const,
})
const write = (process: string, id: number, key: string, value: number) =>
  operation({ ...by(process, id, key), op_type: 'write', input: value })
const read = (process: string, id: number, key: string, value: number | null) =>
  operation({ ...by(process, id, key), op_type: 'read', output: value })

describe('sequential', () => {
  const storeBuffer = [
    write('p', 1, 'x', 1),
    write('q', 2, 'y', 1),
    read('p', 3, 'y', null),
    read('q', 4, 'x', null),
  ]

  it('allows a late read that fits some order of the processes', async () => {
    expect(await check([write('p', 1, 'x', 1), read('q', 2, 'x', null), read('q', 3, 'x', 1)])).toMatchObject(
      {
        valid: true,
        operations: 3,
      },
    )
  })

  it('judges all keys together, and names what contradicts itself', async () => {
    const { valid, anomalies } = await check([...storeBuffer, write('r', 5, 'z', 1)])
    expect(valid).toBe(false)
    expect(anomalies).toMatchObject([{ type: 'not-sequential', operations: [1, 2, 3, 4] }])
    expect(anomalies[0]?.explanation).toContain('comes before')
  })

  it('tells the cycle step by step: each operation before the next, the last before the first', async () => {
    const { anomalies } = await check(storeBuffer)
    const cycle = anomalies[0]?.cycle ?? []
    expect(new Set(cycle.map(({ from }) => from))).toEqual(new Set([1, 2, 3, 4]))
    expect(cycle.map(({ to }) => to)).toEqual(
      [...cycle.slice(1), ...cycle.slice(0, 1)].map(({ from }) => from),
    )
    expect(new Map(cycle.map(({ from, why }) => [from, why]))).toEqual(
      new Map([
        [1, 'process p did them in this order'],
        [3, 'what was read asks for it'],
        [2, 'process q did them in this order'],
        [4, 'what was read asks for it'],
      ]),
    )
  })

  it('leaves the order of processes aside where that is asked for', async () => {
    expect(await check(storeBuffer, { sessionOrder: false })).toMatchObject({ valid: true })
  })

  it('names a value that nobody wrote', async () => {
    const { anomalies } = await check([write('p', 1, 'x', 1), read('q', 2, 'x', 7)])
    expect(anomalies).toMatchObject([{ type: 'value-never-written', operations: [2] }])
  })

  it('says what it could not judge', async () => {
    expect(await check(storeBuffer, { model: null })).toMatchObject({ valid: 'unknown', operations: 0 })
    const foreign = operation({ op_type: 'enqueue', input: 1, at: [0, 1] })
    const { valid, reason } = await check([foreign])
    expect(valid).toBe('unknown')
    expect(reason).toContain('only enqueue')
    expect(await check([])).toMatchObject({ valid: true })
  })

  it('tells how much it has explored while it searches', async () => {
    // Values repeat, so that who wrote what is not plain, and the last read is late: no order by time explains it.
    const clients = ['p', 'q', 'r', 's']
    const writes = Array.from({ length: 24 }, (_, id) => write(clients[id % 4] as string, id, 'x', id % 3))
    const told: number[] = []
    const { evidence } = await sequential().check({
      ...{ operations: [...writes, read('p', 30, 'x', 0), read('p', 31, 'x', 7)] },
      ...{ model: register(), collected: null, timeoutMs: 30_000 },
      onProgress: ({ configurations }) => told.push(configurations),
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.at(-1)).toBe(evidence['configurations'])
  })

  it('is unknown when time runs out first', async () => {
    const appends = Array.from({ length: 24 }, (_, id) =>
      operation({ op_type: 'append', input: `${id},`, process_id: id, key: 'k', at: [id, 1_000 + id] }),
    )
    const get = operation({ op_type: 'get', output: 'none of them', key: 'k', at: [2_000, 2_001] })
    const { leadsTo: _, ...model } = kvStringAppend()
    const { valid, reason } = await check([...appends, get], { model, timeoutMs: 300 })
    expect(valid).toBe('unknown')
    expect(reason).toContain('time limit of 0.3 s ran out')
  })
})
