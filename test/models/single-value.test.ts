import { describe, expect, it } from 'vitest'
import { none, registerKind } from '../../src/checkers/linearizability/part.js'
import type { Json } from '../../src/json.js'
import { casRegister, map, register, type Model, type ModelOperation } from '../../src/models/index.js'
import { encodedBy, valueIds } from './encoded.js'

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

describe('the encoding of single-value models as registers', () => {
  const encoded = (model: Model<Json>, operations: readonly ModelOperation[]) => {
    const idOf = valueIds([model.semantics.init])
    return operations.map((operation) => encodedBy(model.object, operation, idOf))
  }
  const { read, write, cas, differs } = registerKind

  it('gives the initial value the id 0', () => {
    const operations = [call('read'), call('put', { input: 5 }), call('get', { output: 5 }), call('delete')]
    expect(encoded(map(), operations)).toEqual([
      { kind: read, a: 0, b: none },
      { kind: write, a: 1, b: none },
      { kind: read, a: 1, b: none },
      { kind: write, a: 0, b: none },
    ])
  })

  it('takes a null read and a failure as the semantics say', () => {
    const failed = call('cas', { input: [1, 2], outcome: 'failed' })
    const model = casRegister({ init: 1, nullRead: 'unknown', failed: 'observed' })
    expect(encoded(model, [call('read'), failed])).toEqual([null, { kind: differs, a: 0, b: none }])
    expect(encoded(casRegister({ init: 1 }), [call('read')])).toEqual([{ kind: read, a: 1, b: none }])
    expect(encoded(register(), [call('write', { input: 1, outcome: 'failed' })])).toEqual([null])
  })

  it('tells a CAS that was applied from one that met another value', () => {
    const input: Json = [0, 7]
    const operations = [
      call('cas', { input, output: true }),
      call('cas', { input, outcome: 'unknown' }),
      call('cas', { input, output: false }),
    ]
    expect(encoded(casRegister({ init: 0 }), operations)).toEqual([
      { kind: cas, a: 0, b: 1 },
      { kind: cas, a: 0, b: 1 },
      { kind: differs, a: 0, b: none },
    ])
    expect(() => encoded(casRegister(), [call('cas', { input: 3 })])).toThrow(/\[expected, new\]/)
  })
})
