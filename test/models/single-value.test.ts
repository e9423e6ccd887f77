import { describe, expect, it } from 'vitest'
import { casRegister, map, register, type ModelOperation } from '../../src/models/index.js'

const call = (type: string, given: Partial<ModelOperation> = {}): ModelOperation => ({
  type,
  key: null,
  input: null,
  output: null,
  outcome: 'ok',
  ...given,
})

describe('register', () => {
  it('reads what was written last, under any of the common names', () => {
    const model = register()
    for (const write of ['write', 'put', 'set']) {
      const written = model.step(null, call(write, { input: { a: 1 } }))
      for (const read of ['read', 'get']) {
        expect(model.step(written ?? null, call(read, { output: { a: 1 } }))).toEqual({ a: 1 })
        expect(model.step(written ?? null, call(read, { output: { a: 2 } }))).toBeUndefined()
      }
    }
  })

  it('takes objects with their fields in another order for equal', () => {
    const model = register({ init: { a: 1, b: [2, { c: 3, d: 4 }] } })
    const read = call('read', { output: { b: [2, { d: 4, c: 3 }], a: 1 } })
    expect(model.step(model.init(null), read)).toBeDefined()
    expect(model.identity({ a: 1, b: 2 })).toBe(model.identity({ b: 2, a: 1 }))
  })

  it('reads null as an absent value or as one that was not recorded', () => {
    expect(register({ nullRead: 'absent' }).step(1, call('read'))).toBeUndefined()
    expect(register({ nullRead: 'absent' }).step(null, call('read'))).toBeNull()
    expect(register({ nullRead: 'unknown' }).step(1, call('read'))).toBe(1)
  })

  it('knows that reads change nothing and writes may', () => {
    expect(register().isObserver('read')).toBe(true)
    expect(register().isObserver('write')).toBe(false)
    expect(register().isObserver('toString')).toBe(false)
  })

  it('describes operations with their values', () => {
    const model = register()
    expect(model.describeOperation(call('write', { input: 1, output: 1 }))).toBe('write(1)')
    expect(model.describeOperation(call('read', { input: 7, output: 7 }))).toBe('read -> 7')
    expect(model.describeOperation(call('write', { input: 1, key: 'x', outcome: 'unknown' }))).toBe(
      'write(key "x", 1) with unknown outcome',
    )
  })

  it('refuses semantics that do not exist', () => {
    expect(() => register({ nullRead: 'nil' as never })).toThrow(/register\(\).*nullRead/s)
  })
})

describe('cas-register', () => {
  const model = casRegister({ init: 1 })

  it('swaps only what it expected', () => {
    expect(model.step(1, call('cas', { input: [1, 2], output: true }))).toBe(2)
    expect(model.step(1, call('cas', { input: [1, 2] }))).toBe(2)
    expect(model.step(3, call('cas', { input: [1, 2] }))).toBeUndefined()
  })

  it('was refused only by another value', () => {
    const refused = call('cas', { input: [1, 2], output: false })
    expect(model.step(1, refused)).toBeUndefined()
    expect(model.step(3, refused)).toBe(3)
    expect(model.isObserver('cas', refused)).toBe(true)
    expect(model.isObserver('cas')).toBe(false)
  })

  it('sees in an observed failure that the value was another', () => {
    const failed = call('cas', { input: [1, 2], outcome: 'failed' })
    expect(casRegister({ failed: 'observed' }).step(1, failed)).toBeUndefined()
    expect(casRegister({ failed: 'observed' }).step(3, failed)).toBe(3)
  })

  it('may or may not have swapped when its outcome is unknown', () => {
    expect(model.step(1, call('cas', { input: [1, 2], outcome: 'unknown' }))).toBe(2)
    expect(model.step(3, call('cas', { input: [1, 2], outcome: 'unknown' }))).toBe(3)
  })

  it('says what a cas must look like', () => {
    expect(() => model.step(1, call('cas', { input: 2 }))).toThrow(
      /cas takes the input \[expected, new\], got/,
    )
  })
})

describe('map', () => {
  it('reads null after a delete', () => {
    const model = map()
    expect(model.step(5, call('delete'))).toBeNull()
    expect(model.step(null, call('get', { output: 5 }))).toBeUndefined()
    expect(model.step(null, call('get'))).toBeNull()
  })
})
