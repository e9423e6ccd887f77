import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { counterBounds } from '../../../src/checkers/counters/counter-bounds.js'
import type { CollectContext } from '../../../src/checkers/checker.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import type { Json } from '../../../src/json.js'
import { counter } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'
import { smallCounters } from './small-counters.js'

const add = (input: Json, at: [number, number | null], more: Partial<Operation> = {}) =>
  operation({ op_type: 'add', input, at, ...more })
const dec = (input: Json, at: [number, number | null]) => operation({ op_type: 'dec', input, at })
const read = (output: Json, at: [number, number | null], more: Partial<Operation> = {}) =>
  operation({ op_type: 'read', output, at, ...more })

describe('counterBounds', () => {
  it.each<[string, Operation[], boolean | 'unknown', object]>([
    ['the sum', [add(2, [0, 1]), read(2, [2, 3])], true, { reads: 1, looseReads: 0 }],
    ['too low', [add(2, [0, 1]), read(1, [2, 3])], false, { tooLow: 1 }],
    ['too high', [add(2, [0, 1]), read(3, [2, 3])], false, { tooHigh: 1 }],
    ['without an add under way', [add(2, [0, 5]), read(0, [2, 3])], true, { looseReads: 1, widestBounds: 2 }],
    ['with an add under way', [add(2, [0, 5]), read(2, [2, 3])], true, {}],
    ['with an add that touches it', [read(2, [0, 3]), add(2, [3, 5])], true, {}],
    ['with an add that came later', [read(2, [0, 3]), add(2, [4, 5])], false, { tooHigh: 1 }],
    ['with an unknown add', [add(2, [0, null]), read(2, [9, 10])], true, {}],
    ['without an unknown add', [add(2, [0, null]), read(0, [9, 10])], true, {}],
    ['with a failed add', [add(2, [0, 1], { error: 'refused' }), read(2, [2, 3])], false, { tooHigh: 1 }],
    ['after a decrement', [add(5, [0, 1]), dec(2, [2, 3]), read(3, [4, 5])], true, {}],
    ['a decrement that was lost', [add(5, [0, 1]), dec(2, [2, 3]), read(5, [4, 5])], false, { tooHigh: 1 }],
    ['an unknown decrement', [add(5, [0, 1]), add(-2, [2, null]), read(3, [4, 5])], true, {}],
    ['below zero', [dec(1, [0, 1]), read(-1, [2, 3])], true, {}],
    ['increments by one', [operation({ op_type: 'inc', at: [0, 1] }), read(1, [2, 3])], true, {}],
    [
      'an answer of an add',
      [operation({ op_type: 'add-and-get', input: 2, output: 3, at: [0, 1] })],
      false,
      {},
    ],
    [
      'an answer before an add',
      [operation({ op_type: 'get-and-add', input: 2, output: 0, at: [0, 1] })],
      true,
      {},
    ],
    ['keys apart', [add(1, [0, 1], { key: 'x' }), read(1, [2, 3], { key: 'y' })], false, { counters: 2 }],
    ['objects with a value', [add(1, [0, 1]), read({ value: 2, node: 'a' }, [2, 3])], false, { tooHigh: 1 }],
    ['unknown reads', [add(1, [0, 1]), read(null, [2, null])], true, { reads: 0 }],
    ['no reads', [add(1, [0, 1])], true, { reads: 0 }],
    ['no operations', [], 'unknown', {}],
    [
      'sums that numbers cannot hold',
      [add(2 ** 53 - 1, [0, 1]), add(9, [0, 1]), read(1, [2, 3])],
      'unknown',
      {},
    ],
  ])('%s', async (_, operations, valid, evidence) => {
    const result = await judged(counterBounds(), operations)
    expect(result).toMatchObject({ checker: 'counter', valid, evidence })
    expect(result.anomalies.length > 0).toBe(valid === false)
  })

  it('begins at what the model says, which is also what a read of nothing saw', async () => {
    const model = counter({ init: 10 })
    expect(await judged(counterBounds(), [add(1, [0, 1]), read(11, [2, 3])], model)).toMatchObject({
      valid: true,
    })
    expect(await judged(counterBounds(), [add(1, [0, 1]), read(null, [2, 3])], model)).toMatchObject({
      valid: false,
    })
    const unrecorded = counter({ nullRead: 'unknown' })
    expect(await judged(counterBounds(), [add(1, [0, 1]), read(null, [2, 3])], unrecorded)).toMatchObject({
      valid: true,
      evidence: { reads: 0 },
    })
  })

  it('tells the bound and an increment behind it', async () => {
    const { anomalies } = await judged(counterBounds(), [
      add(1, [0, 1], { op_id: 1, process_id: 0 }),
      add(1, [2, 3], { op_id: 2, process_id: 0 }),
      read(0, [4, 5], { op_id: 3, process_id: 1 }),
    ])
    expect(anomalies).toEqual([
      {
        type: 'counter-too-low',
        explanation:
          'read() by process 1 (operation 3) answered 0, and the counter was at least 2 then: from 0 on, increments had ' +
          'been acknowledged before it began that no decrement begun before its return makes up for; the last of them was ' +
          'add(1) by process 0 (operation 2).',
        operations: [2, 3],
      },
    ])
  })

  it('judges only the last read where a counter converges', async () => {
    const late = [add(2, [0, 1]), read(0, [2, 3]), read(2, [4, 5])]
    expect(await judged(counterBounds({ reads: 'final' }), late)).toMatchObject({
      valid: true,
      evidence: { reads: 1 },
    })
    expect(await judged(counterBounds(), late)).toMatchObject({ valid: false })
    expect(await judged(counterBounds({ reads: 'final' }), [add(2, [0, 1])])).toMatchObject({
      valid: 'unknown',
    })
  })

  it('reads every counter at every node at the end', async () => {
    const checker = counterBounds<Json | Error>({
      reads: 'final',
      final: ({ client }) => {
        if (client instanceof Error) throw client
        return client
      },
    })
    const operations = [add(2, [0, 1]), add(3, [2, null]), read(0, [4, 5])]
    const judge = async (...clients: (Json | Error)[]) => {
      const context: CollectContext<Json | Error> = {
        nodes: clients.map((_, index) => ({ name: `n${index}` })),
        clients,
        keys: [null],
        operations,
        signal: new AbortController().signal,
      }
      const collected = (await checker.collect?.(context)) ?? null
      return checker.check({ operations, model: null, collected, timeoutMs: 1_000 })
    }
    expect(await judge(2, 5)).toMatchObject({ valid: true, evidence: { finalReads: 2, reads: 2 } })
    const lost = await judge(5, 0)
    expect(lost).toMatchObject({ valid: false, evidence: { tooLow: 1 } })
    expect(lost.anomalies[0]?.explanation).toContain('the final read at n1 answered 0')
    expect(await judge(2, new Error('down'))).toMatchObject({
      valid: 'unknown',
      evidence: { failedReads: 1 },
    })
    expect(await judge(2, 'two')).toMatchObject({ valid: 'unknown' })
  })

  it('refuses wrong options and what is no number', async () => {
    expect(() => counterBounds({ reads: 'some' as never })).toThrow(/counterBounds\(\).*reads/s)
    await expect(judged(counterBounds(), [read('many', [0, 1])])).rejects.toThrow(/whole number/)
  })

  const effectOf = ({ op_type: type, input }: Operation) =>
    type === 'read' ? 0 : type === 'dec' ? -Number(input ?? 1) : Number(input ?? 1)

  /** Every sum that some choice of the operations gives, those in `must` chosen always. */
  function sums(may: readonly Operation[], must: ReadonlySet<Operation>): number[] {
    return may.reduce<number[]>(
      (so, one) => [...(must.has(one) ? [] : so), ...so.map((sum) => sum + effectOf(one))],
      [0],
    )
  }

  const isWithin = (operations: readonly Operation[]) =>
    operations.every((one) => {
      const { output, op_type: type, invoke_ts: begin, complete_ts: end, key } = one
      if (outcomeOf(one) !== 'ok' || end === null || typeof output !== 'number') return true
      const others = operations.filter(
        (other) =>
          other !== one && other.key === key && outcomeOf(other) !== 'failed' && other.invoke_ts <= end,
      )
      const must = others.filter((other) => other.complete_ts !== null && other.complete_ts < begin)
      const before = type === 'add-and-get' ? output - effectOf(one) : output
      const possible = sums(others, new Set(must))
      return Math.min(...possible) <= before && before <= Math.max(...possible)
    })

  it('agrees with the definition: between the least and the greatest choice of what may be applied', async () => {
    await againstDefinition(counterBounds(), {
      histories: smallCounters(8),
      runs: randomHistories(1_500, 2),
      isValid: isWithin,
    })
  })

  /** Tries every order of every choice. */
  const isLinearizable = (left: readonly Operation[], values: ReadonlyMap<string, number>): boolean => {
    if (left.every(({ complete_ts: end }) => end === null)) return true
    return left.some((next) => {
      if (left.some(({ complete_ts: end }) => end !== null && end < next.invoke_ts)) return false
      const key = String(next.key)
      const before = values.get(key) ?? 0
      const after = before + effectOf(next)
      const answer = next.op_type === 'add-and-get' ? after : before
      if (typeof next.output === 'number' && next.output !== answer) return false
      const rest = left.filter((other) => other !== next)
      return isLinearizable(rest, new Map([...values, [key, after]]))
    })
  }

  it('never flags a linearizable history', async () => {
    await againstDefinition(counterBounds(), {
      histories: smallCounters(6),
      runs: randomHistories(800, 2),
      isValid: (operations) => {
        const may = operations.filter((one) => outcomeOf(one) !== 'failed')
        return isLinearizable(may, new Map()) ? true : null
      },
      cores: false,
    })
  })

  it('finds the increments that a partition lost', async () => {
    const { operations } = await readHistory('test/fixtures/reports/increments-lost-in-a-partition.ndjson')
    const result = await judged(counterBounds(), operations, counter())
    expect(result).toMatchObject({ valid: false, evidence: { reads: 2, tooLow: 1, tooHigh: 0 } })
  })

  it('accepts a recorded history of adds alone', async ({ skip }) => {
    const recorded = '../shared/corpora/elle-cli/jepsen-counter.ndjson'
    if (!existsSync(recorded)) skip(`there is no ${recorded}: the corpora are kept beside the repository`)
    const { operations } = await readHistory(recorded)
    expect(await judged(counterBounds(), operations, counter())).toMatchObject({
      valid: true,
      operations: 287,
      evidence: { reads: 0 },
    })
  })
})
