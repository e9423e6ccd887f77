import { describe, expect, it } from 'vitest'
import { linearizable } from '../../src/checkers/index.js'
import { membershipTable } from '../../src/models/index.js'
import { operation } from '../checkers/operation.js'
import { call } from './call.js'

const model = membershipTable({ init: ['n1'] })
const initial = model.init(null)

describe('membership-table', () => {
  it('lets members join and leave, and shows them in any order', () => {
    const both = model.step(initial, call('join', { input: 'n2' }))
    expect(both && model.step(both, call('view', { output: ['n2', 'n1'] }))).toEqual(both)
    expect(both && model.step(both, call('view', { output: { members: ['n1', 'n2'], epoch: 4 } }))).toEqual(
      both,
    )
    expect(both && model.step(both, call('view', { output: ['n1'] }))).toBeUndefined()
    expect(both && model.step(both, call('leave', { input: 'n1' }))).toEqual(['"n2"'])
  })

  it('holds answers of true and false against what changed', () => {
    expect(model.step(initial, call('join', { input: 'n1', output: true }))).toBeUndefined()
    expect(model.step(initial, call('join', { input: 'n1', output: false }))).toBe(initial)
    expect(model.step(initial, call('leave', { input: 'n2', output: true }))).toBeUndefined()
  })

  it('leaves failed operations out, and lets unknown ones have taken effect', () => {
    expect(model.step(initial, call('join', { input: 'n2', outcome: 'failed' }))).toBe(initial)
    expect(model.step(initial, call('join', { input: 'n2', outcome: 'unknown' }))).toHaveLength(2)
    expect(model.step(initial, call('view', { outcome: 'unknown' }))).toBe(initial)
  })

  it('knows what changes nothing', () => {
    expect(model.isObserver('view')).toBe(true)
    expect(model.isObserver('join')).toBe(false)
    expect(model.isObserver('join', call('join', { input: 'n1', output: false }))).toBe(true)
  })

  it('is judged exactly, as sets are', async () => {
    const operations = [
      operation({ op_type: 'join', input: 'n1', at: [0, 1] }),
      operation({ op_type: 'view', output: ['n1'], at: [2, 3] }),
      operation({ op_type: 'view', output: [], at: [4, 5] }),
    ]
    const input = { operations, model: membershipTable(), collected: null, timeoutMs: 10_000 }
    const result = await linearizable().check(input)
    expect(result).toMatchObject({ valid: false, evidence: { exact: 1 } })
    expect(result.anomalies[0]?.explanation).toContain('view')
  })

  it('says what it cannot read by its own name', () => {
    expect(() => model.step(initial, call('join'))).toThrow(/membership-table: join takes a member/)
    expect(() => model.step(initial, call('view', { output: 3 }))).toThrow(
      /membership-table: view answers the list/,
    )
    expect(() => membershipTable({ init: 'n1' })).toThrow(
      /membership-table\(\): init must be a list of members/,
    )
    expect(model.describeState(initial)).toBe('members "n1"')
  })
})
