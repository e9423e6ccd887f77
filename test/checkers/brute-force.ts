import { outcomeOf, type Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'
import type { Semantics } from '../../src/models/model.js'

export type State = ReadonlyMap<string, Json>

/**
 * Linearizability by its definition, for small histories of registers, CAS registers and maps: tries every order of
 * every choice of unanswered operations, over all keys together. Shares nothing with the code that it is to judge.
 */
export function isLinearizable(operations: readonly Operation[], semantics: Semantics): boolean {
  const relevant = operations.filter(
    (operation) => outcomeOf(operation) !== 'failed' || semantics.failed === 'observed',
  )
  return place(relevant, new Map(), semantics)
}

function place(left: readonly Operation[], state: State, semantics: Semantics): boolean {
  if (left.every((operation) => operation.complete_ts === null)) return true
  return left.some((operation) => {
    const mustComeFirst = left.some(
      (other) => other.complete_ts !== null && other.complete_ts < operation.invoke_ts,
    )
    if (mustComeFirst) return false
    const next = apply(operation, state, semantics)
    return (
      next !== null &&
      place(
        left.filter((other) => other !== operation),
        next,
        semantics,
      )
    )
  })
}

export function apply(operation: Operation, state: State, semantics: Semantics): State | null {
  const key = String(operation.key)
  const current = state.has(key) ? (state.get(key) as Json) : semantics.init
  const outcome = outcomeOf(operation)
  const becomes = (value: Json) => new Map(state).set(key, value)
  switch (operation.op_type) {
    case 'read':
    case 'get':
      if (outcome !== 'ok') return state
      if (operation.output === null && semantics.nullRead === 'unknown') return state
      return operation.output === current ? state : null
    case 'write':
    case 'put':
      return outcome === 'failed' ? state : becomes(operation.input)
    case 'delete':
      return outcome === 'failed' ? state : becomes(null)
    case 'cas': {
      const [expected, next] = operation.input as [Json, Json]
      const refused = outcome === 'failed' || operation.output === false
      if (refused) return current === expected ? null : state
      if (current === expected) return becomes(next)
      return outcome === 'unknown' ? state : null
    }
    default:
      throw new Error(`no rule for ${operation.op_type}`)
  }
}
