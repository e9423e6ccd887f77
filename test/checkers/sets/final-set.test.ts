import { describe, expect, it } from 'vitest'
import { finalSet } from '../../../src/checkers/sets/final-set.js'
import type { CollectContext } from '../../../src/checkers/checker.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { set } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'
import { byElement, isExplained, isLinearizable } from './definition.js'
import { smallSets } from './small-sets.js'

const add = (input: Json, at: [number, number | null], more: Partial<Operation> = {}) =>
  operation({ op_type: 'add', input, at, ...more })
const remove = (input: Json, at: [number, number | null]) => operation({ op_type: 'remove', input, at })
const read = (output: Json, at: [number, number | null]) => operation({ op_type: 'read', output, at })
const failed = { error: 'refused' }

describe('finalSet', () => {
  it.each<[string, Operation[], boolean | 'unknown', object]>([
    ['holds what was added', [add(1, [0, 1]), read([1], [2, 3])], true, { acknowledged: 1, ok: 1, lost: 0 }],
    ['lost an acknowledged element', [add(1, [0, 1]), read([], [2, 3])], false, { lost: 1 }],
    ['holds what nobody added', [add(1, [0, 1]), read([1, 2], [2, 3])], false, { unexpected: 1 }],
    ['holds what was added later', [add(2, [0, 1]), read([1, 2], [2, 3]), add(1, [4, 5])], false, {}],
    [
      'recovered an unknown add',
      [add(1, [0, 1]), add(2, [0, null]), read([1, 2], [2, 3])],
      true,
      { recovered: 1 },
    ],
    [
      'without an unknown add',
      [add(1, [0, 1]), add(2, [0, null]), read([1], [2, 3])],
      true,
      { recovered: 0 },
    ],
    ['holds a failed add', [add(1, [0, 1]), add(2, [0, 1], failed), read([1, 2], [2, 3])], false, {}],
    ['without what was removed', [add(1, [0, 1]), remove(1, [2, 3]), read([], [4, 5])], true, { lost: 0 }],
    [
      'without what may have been removed',
      [add(1, [0, 1]), remove(1, [0, null]), read([], [4, 5])],
      true,
      {},
    ],
    [
      'removed before it was added',
      [remove(1, [0, 1]), add(1, [2, 3]), read([], [4, 5])],
      false,
      { lost: 1 },
    ],
    ['holds what was removed', [add(1, [0, 1]), remove(1, [2, 3]), read([1], [4, 5])], false, { removed: 1 }],
    ['judges the last read only', [add(1, [0, 1]), read([], [2, 3]), read([1], [4, 5])], true, {}],
    ['an add under way', [add(1, [0, 1]), add(2, [2, 4]), read([1], [3, 5])], 'unknown', { lost: 0 }],
    ['an add under way that it holds', [add(1, [0, 1]), add(2, [2, 4]), read([1, 2], [3, 5])], true, {}],
    ['an add that touches it', [add(1, [0, 1]), add(2, [3, 4]), read([1, 2], [2, 3])], true, { ok: 2 }],
    ['was never read', [add(1, [0, 1])], 'unknown', { finalReads: 0 }],
    ['only unknown adds', [add(1, [0, null]), read([], [4, 5])], 'unknown', {}],
    ['no operations', [], 'unknown', {}],
    ['objects as elements', [add({ a: 1, b: 2 }, [0, 1]), read([{ b: 2, a: 1 }], [2, 3])], true, { ok: 1 }],
    ['lists in objects', [add(1, [0, 1]), read({ value: [] }, [2, 3])], false, { lost: 1 }],
  ])('%s', async (_, operations, valid, evidence) => {
    const result = await judged(finalSet(), operations)
    expect(result).toMatchObject({ checker: 'set', valid, evidence })
    expect(result.anomalies.length > 0).toBe(valid === false)
  })

  it('tells what was lost, and asks about failed adds and elements recorded with their key', async () => {
    const lost = await judged(finalSet(), [add(1, [0, 1], { op_id: 7, process_id: 3 }), read([], [2, 3])])
    expect(lost.anomalies[0]?.explanation).toMatch(
      /^add\(1\) by process 3 \(operation 7\) was acknowledged, and the element is missing from the last read, read\(\)/,
    )
    const doubtful = await judged(finalSet(), [add(2, [0, 1], failed), read([2], [2, 3])])
    expect(doubtful.anomalies[0]?.explanation).toContain('was that a timeout?')
    const keyed = await judged(finalSet(), [add([0, 2], [0, 1]), read([2], [2, 3])])
    expect(keyed.anomalies[0]?.explanation).toContain('recorded together with a key')
  })

  it('knows what was there from the start', async () => {
    const model = set({ init: [1] })
    expect(await judged(finalSet(), [add(2, [0, 1]), read([1, 2], [2, 3])], model)).toMatchObject({
      valid: true,
    })
    expect(await judged(finalSet(), [add(2, [0, 1]), read([2], [2, 3])], model)).toMatchObject({
      valid: false,
    })
    const gone = [add(2, [0, 1]), remove(1, [0, 1]), read([1, 2], [2, 3])]
    expect(await judged(finalSet(), gone, model)).toMatchObject({ valid: false, evidence: { removed: 1 } })
  })

  it('reads every set at every node at the end', async () => {
    const holding = (value: Json | Error) => ({
      members: async () => {
        if (value instanceof Error) throw value
        return value
      },
    })
    const checker = finalSet<ReturnType<typeof holding>>({ final: ({ client }) => client.members() })
    const operations = [add(1, [0, 1]), add(2, [2, 3]), read([], [4, 5])]
    const judge = async (...values: (Json | Error)[]) => {
      const context: CollectContext<ReturnType<typeof holding>> = {
        nodes: values.map((_, index) => ({ name: `n${index}` })),
        clients: values.map(holding),
        keys: [null],
        operations,
        signal: new AbortController().signal,
      }
      const collected = (await checker.collect?.(context)) ?? null
      return checker.check({ operations, model: null, collected, timeoutMs: 1_000 })
    }
    expect(await judge([1, 2], [2, 1])).toMatchObject({ valid: true, evidence: { finalReads: 2, ok: 2 } })
    const lost = await judge([1, 2], [1])
    expect(lost).toMatchObject({ valid: false, evidence: { lost: 1, ok: 1 } })
    expect(lost.anomalies[0]?.explanation).toContain('the final read at n1')
    expect(await judge([1, 2], new Error('down'))).toMatchObject({
      valid: 'unknown',
      reason: '1 final reads failed or answered with no list',
    })
    expect(await judge([1, 2], 3)).toMatchObject({ valid: 'unknown' })
  })

  it('refuses wrong options and reads that list nothing', async () => {
    expect(() => finalSet({ final: 3 as never })).toThrow(/finalSet\(\)/)
    await expect(judged(finalSet(), [read(3, [0, 1])])).rejects.toThrow(/list of the elements/)
  })

  const lastRead = (operations: readonly Operation[]) => {
    const reads = operations.filter(
      ({ op_type: type, complete_ts: end, error }) => type === 'read' && end !== null && error === null,
    )
    const latest = Math.max(...reads.map(({ invoke_ts: at }) => at))
    return reads.findLast(({ invoke_ts: at }) => at === latest)
  }
  const isValid = (operations: readonly Operation[]) =>
    [...new Set(operations.map(({ key }) => key))].every((key) => {
      const ofKey = operations.filter((one) => one.key === key)
      const last = lastRead(ofKey)
      const others = ofKey.filter(({ op_type: type }) => type !== 'read')
      return byElement(last === undefined ? others : [...others, last]).every(isExplained)
    })

  it('agrees with the definition: each element of the last read is explained by some order', async () => {
    const histories = smallSets(['add', 'add', 'add', 'add', 'remove', 'read'])
    const undecided = await againstDefinition(finalSet(), {
      histories,
      runs: randomHistories(1_500, 2),
      isValid,
    })
    expect(undecided).toBeLessThan(0.7)
  })

  it('never flags a linearizable history', async () => {
    const histories = smallSets(['add', 'add', 'add', 'remove', 'read'], { maxLength: 6 })
    await againstDefinition(finalSet(), {
      histories,
      runs: randomHistories(800, 2),
      isValid: (operations) => (isLinearizable(operations) ? true : null),
      cores: false,
    })
  })
})
