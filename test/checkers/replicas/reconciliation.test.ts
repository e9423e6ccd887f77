import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reconciliation } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

const dump = (
  node: string | null,
  output: Json,
  at: readonly [number, number | null],
  given: Partial<Operation> = {},
) => operation({ op_type: 'dump', at, output, node_seen: node, ...given })

async function collected(read: (node: string) => Promise<unknown>, ignore: readonly string[] = []) {
  const checker = reconciliation<string>({ dump: ({ client }) => read(client), ignore })
  const nodes = ['n1', 'n2', 'n3'].map((name) => ({ name }))
  const dumps = await checker.collect!({
    nodes,
    clients: nodes.map(({ name }) => name),
    keys: [],
    operations: [],
    signal: new AbortController().signal,
  })
  return checker.check({ operations: [], model: null, collected: dumps, timeoutMs: 1_000 })
}

describe('reconciliation', () => {
  it('compares the dumps of all nodes', async () => {
    expect(await collected(async () => ({ a: 1 }))).toMatchObject({
      valid: true,
      evidence: { replicas: 3, distinct: 1 },
    })
    const result = await collected(async (node) => ({ a: 1, b: { c: node === 'n3' ? 2 : 1 } }))
    expect(result).toMatchObject({ valid: false, evidence: { distinct: 2 } })
    expect(result.anomalies).toEqual([
      {
        type: 'replicas-differ',
        explanation: 'At quiescence n1 and n3 differ: b.c is 1 on n1 and 2 on n3.',
        operations: [],
      },
    ])
  })

  it('leaves out what is declared not to matter', async () => {
    const stamped = async (node: string) => ({ users: { a: { at: node, name: 'x' } }, at: node })
    expect(await collected(stamped, ['users.*.at', 'at'])).toMatchObject({ valid: true })
    expect((await collected(stamped, ['users.*.at'])).anomalies[0]?.explanation).toBe(
      'At quiescence n1 and n2 differ: at is "n1" on n1 and "n2" on n2.',
    )
  })

  it('does not pass when a replica could not be read, unless the others differ', async () => {
    const one = await collected(async (node) => {
      if (node === 'n2') throw new Error('gone')
      return 1
    })
    expect(one).toMatchObject({
      valid: 'unknown',
      reason: '1 replicas could not be read, the first n2: gone',
    })
    const two = await collected(async (node) => {
      if (node === 'n2') throw new Error('gone')
      return node
    })
    expect(two.valid).toBe(false)
    expect(await collected(async () => 1n)).toMatchObject({ valid: 'unknown' })
  })

  it('takes the last answered dump of each replica from a recorded history', async () => {
    const history = [
      dump('n1', [1], [0, 1]),
      dump('n2', [1, 2], [2, 3]),
      dump('n1', [1, 2], [4, 5]),
      dump('n2', null, [6, null]),
    ]
    expect(await judged(reconciliation(), history)).toMatchObject({ valid: true, operations: 2 })
    const views = history.map((one) => ({ ...one, op_type: 'status' }))
    expect(await judged(reconciliation(), views)).toMatchObject({ valid: 'unknown' })
    expect(await judged(reconciliation({ types: ['status'] }), views)).toMatchObject({ valid: true })
  })

  it('agrees with the definition', async () => {
    const histories = fc
      .array(
        fc.record({
          node: fc.constantFrom('n1', 'n2', 'n3'),
          type: fc.constantFrom('dump', 'dump', 'dump', 'write'),
          value: fc.constantFrom<Json>([1], [1], [1], [1], [1], [1], { a: 1 }, { a: [1] }),
          answered: fc.constantFrom(true, true, true, false),
          failed: fc.constantFrom(false, false, false, true),
        }),
        { minLength: 2, maxLength: 5, size: 'max' },
      )
      .map((drawn) =>
        drawn.map(({ node, type, value, answered, failed }, index) =>
          dump(node, answered && !failed ? value : null, [2 * index, answered ? 2 * index + 1 : null], {
            op_id: index,
            op_type: type,
            ...(answered && failed && { error: 'refused' }),
          }),
        ),
      )
    const isValid = (operations: readonly Operation[]) => {
      const texts = ['n1', 'n2', 'n3'].map((node) => {
        const dumps = operations.filter(
          (one) =>
            one.node_seen === node &&
            one.op_type === 'dump' &&
            one.complete_ts !== null &&
            one.error === null,
        )
        return dumps.length === 0 ? null : JSON.stringify(dumps.at(-1)!.output)
      })
      return new Set(texts.filter((text) => text !== null)).size <= 1
    }
    await againstDefinition(reconciliation(), { histories, runs: randomHistories(3_000), isValid })
  })

  it('says which option is wrong', () => {
    expect(() => reconciliation({ dump: 1 as never })).toThrow(DeclarationError)
    expect(() => reconciliation({ ignore: [''] })).toThrow('ignore')
  })
})
