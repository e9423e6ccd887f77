import { describe, expect, it } from 'vitest'
import { session, type ModelOperation } from '../../src/models/index.js'
import { call } from './call.js'

const model = session()

/** The operations in order; undefined when the model does not allow them. */
function after(...operations: ModelOperation[]) {
  return operations.reduce<ReturnType<typeof model.step>>(
    (state, operation) => (state === undefined ? undefined : model.step(state, operation)),
    model.init(null),
  )
}

const write = (
  input: ModelOperation['input'],
  output: ModelOperation['output'],
  outcome = 'ok' as ModelOperation['outcome'],
) => call('write', { input, output, outcome })
const read = (output: ModelOperation['output']) => call('read', { output })

describe('session', () => {
  it('reads the value and the version that were written last', () => {
    expect(
      after(write('a', 1), write('b', { value: 'b', version: 2 }), read({ value: 'b', version: 2 })),
    ).toEqual({
      value: 'b',
      version: 2,
      above: null,
    })
    expect(after(write('a', 1), read({ value: 'b', version: 1 }))).toBeUndefined()
    expect(after(write('a', 1), read({ value: 'a', version: 2 }))).toBeUndefined()
  })

  it('has versions that grow', () => {
    expect(after(write('a', 2), write('b', 2))).toBeUndefined()
    expect(after(write('a', 2), write('b', 1))).toBeUndefined()
    expect(after(write('a', 2), write('b', null), write('c', 2))).toBeUndefined()
  })

  it('takes what an answer leaves out for unknown', () => {
    expect(after(write('a', 1), read({ version: 1 }))).toBeDefined()
    expect(after(write('a', 1), read({ value: 'a' }))).toBeDefined()
    expect(after(write('a', 1), read('a'))).toBeDefined()
    expect(after(write('a', 1), read('b'))).toBeUndefined()
    // Many recorders answer with the input.
    expect(after(write(7, 7), read({ value: 7, version: 1 }))).toBeDefined()
    expect(after(read(null), read({ value: null, version: 0 }), write('a', 1))).toBeDefined()
  })

  it('learns the version of a write that did not answer from the first read of it', () => {
    const unanswered = write('b', null, 'unknown')
    const seen = read({ value: 'b', version: 5 })
    expect(after(write('a', 1), unanswered)).toEqual({ value: 'b', version: null, above: 1 })
    expect(after(write('a', 1), unanswered, seen, seen)).toBeDefined()
    expect(after(write('a', 1), unanswered, seen, read({ value: 'b', version: 6 }))).toBeUndefined()
    expect(after(write('a', 5), unanswered, seen)).toBeUndefined()
    expect(model.isObserver('read')).toBe(false)
    expect(model.isObserver('read', seen)).toBe(false)
    expect(model.isObserver('read', read('b'))).toBe(true)
  })

  it('leaves failed operations out', () => {
    expect(after(write('a', 1), write('b', null, 'failed'), read({ value: 'a', version: 1 }))).toBeDefined()
  })

  it('says where a version is no number', () => {
    expect(() => after(read({ value: 'a', version: 'v1' }))).toThrow(/session: read answers a version/)
  })

  it('describes what it holds', () => {
    expect(model.describeState({ value: 'a', version: 3, above: null })).toBe('"a" of version 3')
    expect(model.describeState({ value: 'a', version: null, above: 3 })).toBe('"a" of version above 3')
    expect(model.describeState(model.init(null))).toBe('null')
  })
})
