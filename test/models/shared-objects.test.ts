import { describe, expect, it } from 'vitest'
import {
  counter,
  ledger,
  lock,
  log,
  modelNamed,
  semaphore,
  set,
  type Model,
  type ModelOperation,
} from '../../src/models/index.js'
import { encodedBy } from './encoded.js'

const call = (type: string, given: Partial<ModelOperation> = {}): ModelOperation => ({
  type,
  key: null,
  input: null,
  output: null,
  outcome: 'ok',
  ...given,
})

function encode(model: Model, operation: ModelOperation) {
  return encodedBy(model.object, operation)
}

describe('counter', () => {
  const hits = counter({ init: 10 })

  it('adds one or what it is told, whatever the answer to an add', () => {
    expect(hits.init(null)).toBe(10)
    expect(hits.step(10, call('inc', { output: 77 }))).toBe(11)
    expect(hits.step(10, call('add', { input: 5 }))).toBe(15)
    expect(hits.step(10, call('dec', { outcome: 'unknown' }))).toBe(9)
    expect(hits.step(10, call('inc', { outcome: 'failed' }))).toBe(10)
    expect(hits.step(10, call('read', { output: 10 }))).toBe(10)
    expect(hits.step(10, call('read', { output: 9 }))).toBeUndefined()
    expect(hits.step(10, call('read'))).toBe(10)
    expect(() => hits.step(10, call('add', { input: 'a' }))).toThrow(/add takes a whole number/)
  })

  it('holds adds that answer the value to it', () => {
    expect(hits.step(10, call('add-and-get', { input: 2, output: 12 }))).toBe(12)
    expect(hits.step(10, call('add-and-get', { input: 2, output: 10 }))).toBeUndefined()
    expect(hits.step(10, call('get-and-add', { output: 10 }))).toBe(11)
    expect(hits.step(10, call('get-and-add', { output: 11 }))).toBeUndefined()
  })

  it('counts from its initial value in columns', () => {
    expect(encode(hits, call('read', { output: 12 }))).toMatchObject({ kind: 1, a: 2 })
    expect(encode(hits, call('get-and-add', { output: 12 }))).toMatchObject({ kind: 2, a: 1, b: 3 })
    expect(encode(hits, call('read', { output: 2 ** 40 }))).toBe('inexpressible')
    expect(encode(hits, call('inc', { outcome: 'failed' }))).toBeNull()
  })

  it('refuses a wrong start', () => {
    expect(() => counter({ init: 'none' })).toThrow(/init must be a whole number/)
  })
})

describe('set', () => {
  const tags = set()

  it('holds answers to what was there, and takes other answers for none', () => {
    const empty = tags.init(null)
    const one = tags.step(empty, call('add', { input: 1, output: true })) as readonly string[]
    expect(tags.step(empty, call('add', { input: 1, output: false }))).toBeUndefined()
    expect(tags.step(one, call('add', { input: 1, output: 1 }))).toEqual(one)
    expect(tags.step(one, call('remove', { input: 1, output: true }))).toEqual(empty)
    expect(tags.step(one, call('contains', { input: 1, output: true }))).toBe(one)
    expect(tags.step(one, call('contains', { input: 2, output: true }))).toBeUndefined()
  })

  it('reads all elements in any order, each once', () => {
    const two = set({ init: ['b', 'a'] })
    const state = two.init(null)
    expect(two.step(state, call('read', { output: ['a', 'b'] }))).toBe(state)
    expect(two.step(state, call('read', { output: ['a', 'b', 'b'] }))).toBeUndefined()
    expect(two.step(state, call('read', { output: ['a'] }))).toBeUndefined()
    // What was there before the history has no place in the columns.
    expect(two.object).toBeUndefined()
    expect(() => set({ init: 3 })).toThrow(/init must be a list/)
  })

  it('is encoded by element, and as a set that only grows when it is read whole', () => {
    const read = call('read', { output: [1, 2] })
    expect(encode(tags, read)).toBe('inexpressible')
    expect(encodedBy(tags.object?.otherwise, read)).toMatchObject({ kind: 1, list: [0, 1] })
    expect(encodedBy(tags.object?.otherwise, call('remove', { input: 1 }))).toBe('inexpressible')
    expect(tags.object?.element?.(call('add', { input: 'x' }))).toBe('x')
    expect(tags.object?.element?.(read)).toBeNull()
  })
})

describe('log', () => {
  const events = log()
  const state = ['"a"', '"b"']

  it('appends at the end, and holds the offset to it', () => {
    expect(events.step(state, call('append', { input: 'c', output: { offset: 2 } }))).toEqual([
      ...state,
      '"c"',
    ])
    expect(events.step(state, call('append', { input: 'c', output: 2 }))).toHaveLength(3)
    expect(events.step(state, call('append', { input: 'c', output: 1 }))).toBeUndefined()
    // A recorder that answers the input tells no offset.
    expect(events.step(state, call('append', { input: 7, output: 7 }))).toHaveLength(3)
    expect(() => events.step(state, call('append'))).toThrow(/append takes an entry/)
  })

  it('reads the whole, one entry, or entries from an offset on', () => {
    const holds = (operation: ModelOperation) => events.step(state, operation) !== undefined
    expect(holds(call('read', { output: ['a', 'b'] }))).toBe(true)
    expect(holds(call('read', { output: ['a'] }))).toBe(false)
    expect(holds(call('read', { input: 1, output: 'b' }))).toBe(true)
    expect(holds(call('read', { input: 1, output: null }))).toBe(false)
    expect(holds(call('read', { input: 2, output: null }))).toBe(true)
    const slice = (from: number, records: [number, string][]) =>
      call('read', { input: { from }, output: { from, records } })
    expect(holds(slice(0, [[0, 'a']]))).toBe(true)
    expect(holds(slice(1, [[1, 'b']]))).toBe(true)
    expect(holds(slice(0, [[1, 'b']]))).toBe(false)
    expect(holds(slice(0, []))).toBe(false)
    expect(holds(slice(2, []))).toBe(true)
    expect(holds(call('tail', { output: 2 }))).toBe(true)
    expect(holds(call('tail', { output: 1 }))).toBe(false)
  })
})

describe('a log of which only the last entries are known', () => {
  const events = log({
    init: {
      from: 5,
      records: [
        [5, 'a'],
        [6, 'b'],
      ],
    },
  })
  const holds = (operation: ModelOperation) => events.step(events.init(null), operation) !== undefined

  it('counts those before, and takes any answer for them', () => {
    expect(holds(call('tail', { output: 7 }))).toBe(true)
    expect(holds(call('tail', { output: 2 }))).toBe(false)
    expect(holds(call('append', { input: 'c', output: { offset: 7 } }))).toBe(true)
    expect(holds(call('append', { input: 'c', output: { offset: 2 } }))).toBe(false)
    expect(holds(call('read', { input: 4, output: 'anything' }))).toBe(true)
    expect(holds(call('read', { input: 4, output: null }))).toBe(false)
    expect(holds(call('read', { input: 6, output: 'b' }))).toBe(true)
    expect(holds(call('read', { input: 6, output: 'a' }))).toBe(false)
    const slice = (records: [number, string][]) =>
      call('read', { input: { from: 4 }, output: { from: 4, records } })
    expect(
      holds(
        slice([
          [4, 'anything'],
          [5, 'a'],
        ]),
      ),
    ).toBe(true)
    expect(
      holds(
        slice([
          [4, 'anything'],
          [5, 'b'],
        ]),
      ),
    ).toBe(false)
    expect(holds(call('read', { output: ['1', '2', '3', '4', '5', 'a', 'b'] }))).toBe(true)
    expect(holds(call('read', { output: ['a', 'b'] }))).toBe(false)
    expect(holds(call('read'))).toBe(true)
    expect(events.describeState(events.init(null))).toBe('7 entries, the last of them ["a", "b"]')
    expect(log({ init: { from: 9, records: [] } }).describeState([])).toBe('9 entries')
  })

  it('has a beginning without gaps', () => {
    const hint = /init must be a list of entries or \{ from, records \}/
    expect(() => log({ init: { from: 5, records: [[6, 'b']] } })).toThrow(hint)
    expect(() => log({ init: { from: 5 } })).toThrow(hint)
    expect(() => log({ init: 'a' })).toThrow(hint)
  })
})

describe('lock and semaphore', () => {
  const by = (process: number, type: string, given: Partial<ModelOperation> = {}) =>
    call(type, { process, ...given })

  it('gives a lock to one process, which alone can give it back', () => {
    const door = lock()
    const held = door.step(door.init(null), by(1, 'acquire')) as Record<string, number>
    expect(door.describeState(held)).toBe('held by process 1')
    expect(door.step(held, by(2, 'acquire'))).toBeUndefined()
    expect(door.step(held, by(1, 'acquire'))).toBeUndefined()
    expect(door.step(held, by(2, 'release'))).toBeUndefined()
    expect(door.step(held, by(2, 'acquire', { output: false }))).toBe(held)
    expect(door.step({}, by(2, 'acquire', { output: false }))).toBeUndefined()
    expect(door.step(held, by(2, 'acquire', { outcome: 'unknown' }))).toBe(held)
    expect(door.step(held, by(1, 'release'))).toEqual({})
    expect(door.requires).toContain('process_id')
  })

  it('counts the permits of a semaphore, which init tells where it is named', () => {
    const pool = semaphore(2)
    const one = pool.step({}, by(1, 'acquire')) as Record<string, number>
    const two = pool.step(one, by(1, 'acquire')) as Record<string, number>
    expect(two).toEqual({ 1: 2 })
    expect(pool.step(two, by(2, 'acquire'))).toBeUndefined()
    expect(modelNamed('semaphore', { init: 2 }).step(one, by(2, 'acquire'))).toEqual({ 1: 1, 2: 1 })
    expect(encode(pool, by(1, 'acquire'))).toMatchObject({ kind: 0, a: 2 })
    expect(encode(pool, by(1, 'acquire', { output: false }))).toBe('inexpressible')
    expect(() => semaphore(0)).toThrow(/number of permits/)
  })
})

describe('ledger', () => {
  const bank = ledger({ init: { a: 10 } })

  it('moves amounts between accounts and reads several at once', () => {
    const after = bank.step({ a: 10 }, call('transfer', { input: { from: 'a', to: 'b', amount: 4 } }))
    expect(after).toEqual({ a: 6, b: 4 })
    expect(bank.step({ a: 6, b: 4 }, call('read', { output: { a: 6, b: 4, c: 0 } }))).toBeDefined()
    expect(bank.step({ a: 6, b: 4 }, call('read', { output: { a: 6, b: 5 } }))).toBeUndefined()
    expect(bank.step({ a: 6 }, call('debit', { key: 'a', input: { amount: 1, id: 'x' } }))).toEqual({ a: 5 })
    expect(bank.step({ a: 6 }, call('balance', { key: 'a', output: 6 }))).toBeDefined()
    expect(bank.step({ a: 6 }, call('transfer', { output: false, input: null }))).toEqual({ a: 6 })
    expect(() => bank.step({}, call('transfer', { input: 3 }))).toThrow(/takes \{ from, to, amount \}/)
  })

  it('counts in whole numbers: what fractions add up to depends on who adds them', () => {
    const tenths = ledger({ init: { a: 1 } })
    const transfer = call('transfer', { input: { from: 'a', to: 'b', amount: 0.1 } })
    expect(() => tenths.step({ a: 1 }, transfer)).toThrow(/the amount in whole numbers/)
    expect(() => tenths.step({}, call('credit', { key: 'a', input: 0.5 }))).toThrow(/in whole numbers/)
    expect(() => tenths.step({}, call('read', { output: { a: 0.7 } }))).toThrow(/in whole numbers/)
    expect(() => tenths.step({}, call('balance', { key: 'a', output: 2 ** 60 }))).toThrow(/whole numbers/)
    expect(() => ledger({ init: { a: 0.1 } })).toThrow(/whole numbers/)
  })
})
