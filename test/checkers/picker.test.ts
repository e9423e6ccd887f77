import { describe, expect, it } from 'vitest'
import { checkersFor } from '../../src/checkers/index.js'
import { misfitOf } from '../../src/checkers/picker.js'
import { register } from '../../src/models/index.js'

describe('checkersFor', () => {
  it.each([
    ['register', 'safety', 'linearizable'],
    ['log', 'durability', 'no-lost-ack'],
    ['map', 'isolation', 'serializable'],
    ['session', 'safety', 'session-consistency'],
    ['ledger', 'idempotency', 'exactly-once'],
    ['ledger', 'safety', 'linearizable'],
    ['priority-queue', 'safety', 'linearizable'],
    ['membership-table', 'membership', 'reconciliation'],
    ['queue', 'ordering', 'prefix-order'],
    ['counter', 'safety', 'linearizable'],
    ['lock', 'safety', 'mutual-exclusion'],
    ['lease', 'safety', 'lease-exclusion'],
    ['queue', 'fairness', 'fairness'],
    ['box-of-mine', 'safety', 'linearizable'],
    [null, 'durability', 'no-lost-ack'],
    ['set', 'safety', 'linearizable'],
    ['counter', 'durability', 'counter'],
  ] as const)('%s, %s: %s first', (model, category, checker) => {
    expect(checkersFor(model, category)[0]).toBe(checker)
  })

  it('has none for what no checker falsifies', () => {
    expect(checkersFor('register', 'boundary')).toEqual([])
    expect(checkersFor(null, 'safety')).toEqual([])
  })
})

describe('misfitOf', () => {
  it('says why a checker does not fit and what does', () => {
    expect(misfitOf('linearizable', { model: register(), categories: ['safety'] })).toBeNull()
    expect(misfitOf('linearizable', { model: register(), categories: ['durability'] })).toMatch(
      /^linearizable does not falsify claims about durability on the model register; use no-lost-ack/,
    )
    expect(misfitOf('linearizable', { model: register(), categories: ['boundary'] })).toContain(
      'use an invariant',
    )
  })
})
