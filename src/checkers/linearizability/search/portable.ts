import type { Model, Semantics } from '../../../models/model.js'
import { modelNamed } from '../../../models/named.js'
import type { Part } from '../part.js'
import type { ModelCalls } from './model-calls.js'
import { behaviourOf, kindsOf, type Kind } from './model-problem.js'
import type { Problem } from './problem.js'
import { registerProblem } from './register-problem.js'

/**
 * A problem as it goes to another thread: its columns in shared memory, and of functions no more than the name of the
 * model that has them.
 */
export type Portable = (PortableRegister | PortableCalls) & Pick<Problem, 'order'>

interface PortableRegister {
  readonly part: Part
}

interface PortableCalls extends Pick<Problem, 'count' | 'invoke' | 'complete' | 'events' | 'kind'> {
  readonly kinds: readonly Kind[]
  readonly key: ModelCalls['key']
  readonly model: { readonly name: string; readonly semantics: Semantics }
}

/** A register in columns, ready to go; its columns are shared as they are. */
export function portableRegister(part: Part, order: Problem['order']): Portable {
  return { part, ...sharedOrder(order) }
}

/** The operations of an object by a built-in model, ready to go: columns that are not shared yet are copied once. */
export function portableCalls(calls: ModelCalls, model: Model, order: Problem['order']): Portable {
  const { kind, kinds } = kindsOf(calls)
  return {
    count: calls.count,
    events: calls.events,
    invoke: sharedIntegers(calls.invoke),
    complete: sharedIntegers(calls.complete),
    kind: sharedIntegers(kind),
    kinds,
    key: calls.key,
    model: { name: model.name, semantics: model.semantics },
    ...sharedOrder(order),
  }
}

/** The problem again, where it arrived. */
export function problemOfPortable(portable: Portable): Problem {
  const { order } = portable
  const problem = 'part' in portable ? registerProblem(portable.part) : problemOfCalls(portable)
  if (problem === null) throw new Error('a part that is no register went to another thread')
  return order === undefined ? problem : { ...problem, order }
}

function problemOfCalls({ kinds, key, model, ...columns }: PortableCalls): Problem {
  const { count, invoke, complete, events, kind } = columns
  const behaviour = behaviourOf(kinds, { model: modelNamed(model.name, model.semantics), key })
  return { count, invoke, complete, events, kind, behaviour }
}

function sharedIntegers(column: Int32Array): Int32Array {
  if (column.buffer instanceof SharedArrayBuffer) return column
  const shared = new Int32Array(new SharedArrayBuffer(column.byteLength))
  shared.set(column)
  return shared
}

function sharedOrder(order: Problem['order']): Pick<Problem, 'order'> {
  if (order === undefined) return {}
  const shared = new Float64Array(new SharedArrayBuffer(order.byteLength))
  shared.set(order)
  return { order: shared }
}
