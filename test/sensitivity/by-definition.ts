import { outcomeOf, type Operation } from '../../src/history/operation.js'
import type { Model } from '../../src/models/model.js'

/** Whether the first operation has to take effect before the second. */
export type Precedes = (first: Operation, second: Operation) => boolean

export const inRealTime: Precedes = (first, second) =>
  first.complete_ts !== null && first.complete_ts < second.invoke_ts

export const inSession: Precedes = (first, second) =>
  first.process_id === second.process_id && inRealTime(first, second)

/**
 * Whether some order of the operations, of all keys together, keeps `precedes` and is allowed by the model, by trying
 * all of them: unanswered operations may be left out, failed ones are.
 */
export function hasOrder(
  operations: readonly Operation[],
  { model, precedes }: { model: Model; precedes: Precedes },
): boolean {
  const relevant = operations.filter(
    (operation) => outcomeOf(operation) !== 'failed' || model.semantics.failed === 'observed',
  )
  const known = new Set<string>()
  const place = (left: readonly Operation[], states: ReadonlyMap<Operation['key'], unknown>): boolean => {
    if (left.every((operation) => operation.complete_ts === null)) return true
    const identity = JSON.stringify([
      left.map(({ op_id: id }) => id),
      [...states].map(([key, state]) => `${JSON.stringify(key)} ${model.identity(state)}`).toSorted(compare),
    ])
    if (known.has(identity)) return false
    known.add(identity)
    return left.some((operation) => {
      if (left.some((other) => other !== operation && precedes(other, operation))) return false
      const rest = left.filter((other) => other !== operation)
      const key = model.partition === 'key' ? operation.key : null
      const state = states.has(key) ? states.get(key) : model.init(key)
      const next = model.step(state, seen(operation))
      return next !== undefined && place(rest, new Map(states).set(key, next))
    })
  }
  return place(relevant, new Map())
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function seen(operation: Operation) {
  const { op_type: type, key, input, output, process_id: process } = operation
  const outcome = outcomeOf(operation)
  return { type, key, input, output: outcome === 'unknown' ? null : output, outcome, process }
}
