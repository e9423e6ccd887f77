import { describe, expect, it } from 'vitest'
import { invariant, type InvariantOptions } from '../../src/checkers/index.js'
import type { Json } from '../../src/json.js'
import { operation } from './operation.js'

const operations = [operation({ op_id: 1, op_type: 'credit', input: 5, at: [0, 1] })]

async function check(options: InvariantOptions<unknown, Json>, judged = operations) {
  const checker = invariant('money is conserved', options)
  const context = { nodes: [], clients: [], keys: [], operations, signal: new AbortController().signal }
  const collected = checker.collect ? await checker.collect(context) : null
  return checker.check({ operations: judged, model: null, collected, timeoutMs: 1_000 })
}

describe('invariant', () => {
  it('judges the collected state', async () => {
    const collect = async () => ({ total: 100 })
    const holding = await check({ collect, holds: ({ state }) => (state as { total: number }).total === 100 })
    expect(holding).toMatchObject({ valid: true, reason: null, evidence: { assertions: 1 }, operations: 1 })
    const broken = await check({ collect, holds: ({ state }) => (state as { total: number }).total === 90 })
    expect(broken).toMatchObject({ valid: false, anomalies: [{ type: 'invariant-violated' }] })
  })

  it('counts assertions and lists violations with their operations', async () => {
    const result = await check({
      holds: ({ operations: history, assert }) => {
        for (const { op_id: id } of history) assert(false, `operation ${id} is wrong`, [id])
        assert(true, 'never seen')
      },
    })
    expect(result).toMatchObject({
      valid: false,
      evidence: { assertions: 2 },
      anomalies: [{ explanation: 'operation 1 is wrong', operations: [1] }],
    })
    expect(await check({ holds: () => ['a is missing', 'b is missing'] })).toMatchObject({
      valid: false,
      anomalies: [{ explanation: 'a is missing' }, { explanation: 'b is missing' }],
    })
    expect(await check({ holds: async () => [] })).toMatchObject({ valid: true })
  })

  it.each([
    ['asserted nothing', { holds: () => {} }, 'asserted nothing'],
    [
      'threw',
      {
        holds: () => {
          throw new Error('no such field')
        },
      },
      'holds() failed: no such field',
    ],
    ['answered with something else', { holds: () => 1 as never }, 'must answer true, false'],
    [
      'could not collect',
      { collect: () => Promise.reject(new Error('down')), holds: () => true },
      'collect() failed: down',
    ],
    ['collected no JSON', { collect: () => 1n as never, holds: () => true }, 'no JSON value'],
  ])('is unknown when it %s', async (_, options, reason) => {
    const result = await check(options)
    expect(result).toMatchObject({ valid: 'unknown', reason: expect.stringContaining(reason) })
  })

  it('is unknown when there is nothing to judge', async () => {
    expect(await check({ holds: () => true }, [])).toMatchObject({ valid: 'unknown' })
    const uncollected = invariant('x', { collect: () => 1, holds: () => true })
    const result = await uncollected.check({ operations, model: null, collected: null, timeoutMs: 1 })
    expect(result).toMatchObject({ valid: 'unknown', reason: expect.stringContaining('not collected') })
  })

  it('refuses a declaration without a name or a function', () => {
    expect(() => invariant('', { holds: () => true })).toThrow(/first argument/)
    expect(() => invariant('x', {} as never)).toThrow(/invariant "x": holds must be a function/)
    expect(() => invariant('x', { holds: () => true, collect: 3 as never })).toThrow(/collect must be/)
  })
})
