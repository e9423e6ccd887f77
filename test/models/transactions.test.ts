import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/json.js'
import { listAppend, multiRegister, rwRegister, type ModelOperation } from '../../src/models/index.js'
import { call } from './call.js'

const txn = (...steps: Json[][]) => call('txn', { input: steps, output: steps })
const unanswered = (...steps: Json[][]) => call('txn', { input: steps, outcome: 'unknown' })

describe('list-append', () => {
  const lists = listAppend()

  /** The operations in order; undefined when the model does not allow them. */
  function after(...operations: ModelOperation[]) {
    return operations.reduce<ReturnType<typeof lists.step>>(
      (state, operation) => (state === undefined ? undefined : lists.step(state, operation)),
      lists.init(null),
    )
  }

  it('appends to the end and reads the whole list, with what the transaction appended before', () => {
    const wrote = txn(['append', 'x', 1], ['append', 'y', 'a'])
    expect(after(wrote, txn(['r', 'x', [1]], ['append', 'x', 2], ['r', 'x', [1, 2]]))).toBeDefined()
    expect(after(wrote, txn(['append', 'x', 2]), txn(['r', 'x', [2, 1]]))).toBeUndefined()
    expect(after(wrote, txn(['r', 'x', []]))).toBeUndefined()
    expect(after(wrote, txn(['r', 'x', [1, 1]]))).toBeUndefined()
  })

  it('takes null and [] for the empty list', () => {
    expect(after(txn(['r', 'x', null], ['r', 'y', []], ['r', 'constructor', null]))).toEqual({})
    expect(listAppend({ init: { x: [], y: [3] } }).init(null)).toEqual({ y: '3' })
  })

  it('takes a key as a number and as text for the same', () => {
    expect(after(txn(['append', 1, 5]), txn(['r', '1', [5]]))).toBeDefined()
  })

  it('applies an unanswered transaction by its input, and a failed one not at all', () => {
    expect(after(unanswered(['append', 'x', 1], ['r', 'x', null]), txn(['r', 'x', [1]]))).toBeDefined()
    expect(after({ ...txn(['append', 'x', 1]), outcome: 'failed' })).toEqual({})
  })

  it('knows transactions that only read', () => {
    expect(lists.isObserver('txn', txn(['r', 'x', [1]]))).toBe(true)
    expect(lists.isObserver('txn', txn(['r', 'x', [1]], ['append', 'x', 2]))).toBe(false)
    expect(lists.isObserver('txn')).toBe(false)
  })

  it('says what it cannot read', () => {
    expect(() => after(txn(['w', 'x', 1]))).toThrow(
      /list-append: txn takes a list of \[r\|append, key, value\]/,
    )
    expect(() => after(call('txn', { input: 'x' }))).toThrow(/takes a list of/)
    expect(() => after(txn(['r', 'x', 3]))).toThrow(/reads lists/)
    expect(() => listAppend({ init: { x: 1 } })).toThrow(/init must map keys to lists/)
  })

  it('describes its lists', () => {
    expect(lists.describeState({ x: '1,"a"' })).toBe('{"x":[1,"a"]}')
  })
})

describe.each([
  ['rw-register', rwRegister],
  ['multi-register', multiRegister],
] as const)('%s', (name, factory) => {
  it('reads what was written last, also by the transaction itself', () => {
    const registers = factory({ init: { x: 1 } })
    expect(registers.name).toBe(name)
    const initial = registers.init(null)
    expect(registers.step(initial, txn(['r', 'x', 1], ['w', 'x', 2], ['r', 'x', 2]))).toEqual({ x: 2 })
    expect(registers.step(initial, txn(['r', 'x', 2]))).toBeUndefined()
    expect(registers.step(initial, unanswered(['r', 'x', null], ['w', 'y', 3]))).toEqual({ x: 1, y: 3 })
    expect(registers.step(initial, txn(['r', 'constructor', null]))).toBeDefined()
  })
})
