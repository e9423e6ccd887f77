import { describe, expect, it } from 'vitest'
import {
  kvStringAppend,
  model,
  modelNamed,
  modelNames,
  multiRegister,
  type ModelDefinition,
  type ModelOperation,
} from '../../src/models/index.js'

const call = (type: string, given: Partial<ModelOperation> = {}): ModelOperation => ({
  type,
  key: null,
  input: null,
  output: null,
  outcome: 'ok',
  ...given,
})

describe('kv-string-append', () => {
  it('appends, replaces and reads the whole', () => {
    const kv = kvStringAppend()
    expect(kv.init('x')).toBe('')
    expect(kv.step('ab', call('append', { input: 'c' }))).toBe('abc')
    expect(kv.step('ab', call('put', { input: 'c' }))).toBe('c')
    expect(kv.step('ab', call('get', { output: 'ab' }))).toBe('ab')
    expect(kv.step('ab', call('get', { output: 'a' }))).toBeUndefined()
    expect(() => kv.step('', call('append', { input: 3 }))).toThrow(/append takes a string/)
  })
})

describe('multi-register', () => {
  const registers = multiRegister({ init: { x: 0, y: 0 }, nullRead: 'unknown' })
  const txn = (...steps: [string, string, number | null][]) => call('txn', { input: steps, output: steps })

  it('applies a transaction at once, which sees its own writes', () => {
    expect(
      registers.step({ x: 0, y: 0 }, txn(['write', 'x', 1], ['read', 'x', 1], ['read', 'y', 0])),
    ).toEqual({
      x: 1,
      y: 0,
    })
    expect(registers.step({ x: 0, y: 0 }, txn(['read', 'x', 1]))).toBeUndefined()
    expect(registers.step({ x: 0, y: 0 }, txn(['read', 'x', null]))).toBeDefined()
  })

  it('knows a transaction of reads as an observer', () => {
    expect(registers.isObserver('txn', txn(['read', 'x', 1]))).toBe(true)
    expect(registers.isObserver('txn', txn(['w', 'x', 1]))).toBe(false)
    expect(registers.isObserver('txn')).toBe(false)
  })
})

describe('modelNamed', () => {
  it('makes every model by its name', () => {
    for (const name of modelNames) expect(modelNamed(name).name).toBe(name)
  })

  it('lists the names when there is no such model', () => {
    expect(() => modelNamed('regster')).toThrow(/no model "regster"[\s\S]*register, cas-register, map/)
    expect(() => modelNamed('constructor')).toThrow(/no model/)
  })
})

describe('model()', () => {
  const box = {
    name: 'box',
    operations: ['put', 'take'],
    init: () => [] as string[],
    step: (state: string[], { type, input, output }: ModelOperation) =>
      type === 'put' ? [...state, String(input)] : state[0] === output ? state.slice(1) : undefined,
  } satisfies ModelDefinition<string[]>

  it('fills in what was left out', () => {
    const made = model(box)
    expect(made.partition).toBe('key')
    expect(made.identity(['a'])).toBe('["a"]')
    expect(made.isObserver('take')).toBe(false)
    expect(made.step(['a', 'b'], call('take', { output: 'a' }))).toEqual(['b'])
    expect(made.step(['a', 'b'], call('take', { output: 'b' }))).toBeUndefined()
  })

  it.each([
    [{ ...box, name: '' }, /name must be/],
    [{ ...box, operations: [] }, /operations must list/],
    [{ ...box, observers: ['peek'] }, /observer "peek" is not among/],
    [{ ...box, init: null }, /init must be a function/],
    [{ ...box, step: undefined }, /step must be a function/],
    [{ ...box, partition: 'keys' }, /partition must be 'key' or 'whole'/],
    [{ ...box, requires: ['node'] }, /requires names "node"/],
    [null, /expected an object/],
  ])('refuses a wrong declaration %#', (wrong, message) => {
    expect(() => model(wrong as never)).toThrow(message)
  })

  it('says when a function answers with something that is no state', () => {
    const asynchronous = model({ ...box, step: (async () => []) as never })
    expect(() => asynchronous.step([], call('put'))).toThrow(
      /"box": step \(put\) must return a state at once/,
    )
  })
})
