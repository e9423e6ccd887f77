import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Semantics } from '../../../src/models/model.js'
import { apply, type State } from '../brute-force.js'

/**
 * Sequential consistency by its definition, for small histories of registers, CAS registers and maps: tries every order
 * that keeps what each process did in its order, of every choice of unanswered operations. An unanswered operation
 * follows what its process did before, and holds up nothing.
 */
export function isSequential(operations: readonly Operation[], semantics: Semantics): boolean {
  const relevant = operations
    .filter((operation) => outcomeOf(operation) !== 'failed' || semantics.failed === 'observed')
    .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
  return place(relevant, new Map(), semantics)
}

function place(left: readonly Operation[], state: State, semantics: Semantics): boolean {
  if (left.every((operation) => operation.complete_ts === null)) return true
  return left.some((operation, index) => {
    const mustComeFirst = left
      .slice(0, index)
      .some((other) => other.complete_ts !== null && other.process_id === operation.process_id)
    if (mustComeFirst) return false
    const next = apply(operation, state, semantics)
    return next !== null && place(left.toSpliced(index, 1), next, semantics)
  })
}
