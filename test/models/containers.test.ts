import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import type { Json } from '../../src/json.js'
import {
  modelNamed,
  ModelOperationError,
  priorityQueue,
  queue,
  stack,
  type Model,
  type ModelOperation,
} from '../../src/models/index.js'
import { encodedBy } from './encoded.js'

function act(type: string, given: Partial<ModelOperation> = {}): ModelOperation {
  return { type, key: null, input: null, output: null, outcome: 'ok', ...given }
}

/** The state after the operations, undefined when one of them is not allowed. */
function run<State>(model: Model<State>, operations: readonly ModelOperation[]): State | undefined {
  return operations.reduce<State | undefined>(
    (state, operation) => (state === undefined ? undefined : model.step(state, operation)),
    model.init(null),
  )
}

const enqueue = (input: Json) => act('enqueue', { input })
const dequeue = (output: Json) => act('dequeue', { output })
const push = (input: Json) => act('push', { input })
const pop = (output: Json) => act('pop', { output })
const insert = (input: Json) => act('insert', { input })
const poll = (output: Json) => act('poll', { output })

describe('queue', () => {
  it('gives elements back in the order in which they came, and null when there is none', () => {
    expect(run(queue(), [enqueue(1), enqueue({ b: 1, a: 2 }), dequeue(1), dequeue({ a: 2, b: 1 })])).toEqual(
      [],
    )
    expect(run(queue(), [dequeue(null), enqueue(1), dequeue(1), dequeue(null)])).toEqual([])
    expect(run(queue(), [enqueue(1), enqueue(2), dequeue(2)])).toBeUndefined()
    expect(run(queue(), [enqueue(1), dequeue(null)])).toBeUndefined()
    expect(run(queue(), [dequeue(1)])).toBeUndefined()
  })

  it('begins with the elements of init, and is then left to the search', () => {
    expect(run(queue({ init: [1, 2] }), [dequeue(1), enqueue(3), dequeue(2), dequeue(3)])).toEqual([])
    expect(queue({ init: [1] }).object).toBeUndefined()
    expect(queue({ init: [] }).object?.type).toBe('queue')
  })

  it('lets a dequeue of unknown outcome take the head, whatever it was', () => {
    const lost = act('dequeue', { outcome: 'unknown' })
    expect(run(queue(), [enqueue(1), enqueue(2), lost, dequeue(2)])).toEqual([])
    expect(run(queue(), [lost])).toEqual([])
  })

  it('takes a null for a result that was not recorded where that is said', () => {
    const model = queue({ nullRead: 'unknown' })
    expect(run(model, [enqueue(1), enqueue(2), dequeue(null), dequeue(2)])).toEqual([])
    expect(encodedBy(model.object, dequeue(null))).toBe('inexpressible')
    expect(model.isObserver('dequeue', dequeue(null))).toBe(false)
    expect(queue().isObserver('dequeue', dequeue(null))).toBe(true)
    expect(queue().isObserver('dequeue', dequeue(1))).toBe(false)
  })

  it('leaves failed operations out, even with an element that cannot be read', () => {
    const failed = act('enqueue', { outcome: 'failed' })
    expect(run(queue({ failed: 'observed' }), [failed, dequeue(null)])).toEqual([])
    expect(() => run(queue(), [act('enqueue')])).toThrow(ModelOperationError)
  })

  it('says what an operation did', () => {
    expect(queue().describeOperation(dequeue(null))).toBe('dequeue -> empty')
    expect(queue().describeOperation(act('dequeue', { input: 5, output: 1 }))).toBe('dequeue -> 1')
    expect(queue().describeOperation(act('dequeue', { outcome: 'unknown' }))).toBe(
      'dequeue with unknown outcome',
    )
    expect(queue({ nullRead: 'unknown' }).describeOperation(dequeue(null))).toBe('dequeue -> null')
  })
})

describe('stack', () => {
  it('gives the newest element back first', () => {
    expect(run(stack(), [push(1), push(2), pop(2), push(3), pop(3), pop(1), pop(null)])).toEqual([])
    expect(run(stack(), [push(1), push(2), pop(1)])).toBeUndefined()
    expect(run(stack({ init: [1, 2] }), [pop(2), act('pop', { outcome: 'unknown' }), pop(null)])).toEqual([])
  })
})

describe('priority queue', () => {
  it('gives the highest priority back first', () => {
    expect(
      run(priorityQueue(), [insert(1), insert(3), insert(2), poll(3), poll(2), poll(1), poll(null)]),
    ).toEqual([])
    expect(run(priorityQueue(), [insert(1), insert(3), poll(1)])).toBeUndefined()
    expect(run(priorityQueue({ init: [5] }), [insert(1), poll(5), poll(1)])).toEqual([])
  })

  it('gives equal priorities back in any order', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value): Json => ({ priority: 1, value })) as [Json, Json, Json]
    expect(run(priorityQueue(), [insert(a), insert(b), poll(b), poll(a)])).toEqual([])
    const lost = act('poll', { outcome: 'unknown' })
    expect(run(priorityQueue(), [insert(a), insert(b), lost, poll(a), poll(null)])).toEqual([])
    expect(run(priorityQueue(), [insert(a), insert(b), lost, poll(b), poll(null)])).toEqual([])
    expect(run(priorityQueue(), [insert(a), insert(b), lost, poll(b), poll(a)])).toBeUndefined()
    // What came after the lost poll cannot be what it took.
    expect(run(priorityQueue(), [insert(a), insert(b), lost, insert(c), poll(a), poll(b)])).toBeUndefined()
    expect(
      run(priorityQueue(), [insert(a), insert(b), lost, insert(c), poll(a), poll(c), poll(null)]),
    ).toEqual([])
  })

  it('reads only numbers and elements with a priority', () => {
    expect(() => run(priorityQueue(), [insert('high')])).toThrow(/number or \{ priority, value \}/)
    expect(() => priorityQueue({ init: ['high'] })).toThrow(DeclarationError)
    expect(encodedBy(priorityQueue().object, insert(0.5))).toBe('inexpressible')
  })

  it('describes its states', () => {
    const model = priorityQueue()
    const state = run(model, [
      insert(1),
      insert(3),
      insert({ priority: 3, value: 'x' }),
      act('poll', { outcome: 'unknown' }),
    ])
    expect(state && model.describeState(state)).toBe(
      'priority 3: 3, {"priority":3,"value":"x"} without 1 of them; priority 1: 1',
    )
  })
})

describe.each(['queue', 'stack', 'priority-queue'])('%s', (name) => {
  it('is known by its name, and refuses what cannot be its contents', () => {
    expect(modelNamed(name).name).toBe(name)
    for (const init of [1, 'x', { a: 1 }, [null]] as Json[]) {
      expect(() => modelNamed(name, { init })).toThrow(DeclarationError)
    }
  })
})
