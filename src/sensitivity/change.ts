import type { Operation } from '../history/operation.js'
import type { CleanHistory, Mutant } from './mutation.js'

/** The history with some operations replaced, left out (null) or put in, told in words. */
export function changed(
  history: CleanHistory,
  {
    what,
    replace = new Map(),
    insert = [],
  }: {
    what: string
    replace?: ReadonlyMap<Operation, Operation | null>
    insert?: readonly Operation[]
  },
): Mutant {
  const operations: Operation[] = []
  const waiting = [...insert].sort((a, b) => a.invoke_ts - b.invoke_ts)
  for (const operation of history.operations) {
    while (waiting[0] !== undefined && waiting[0].invoke_ts < operation.invoke_ts) {
      operations.push(waiting.shift() as Operation)
    }
    const kept = replace.size === 0 ? operation : replace.get(operation)
    if (kept !== null) operations.push(kept ?? operation)
  }
  for (const operation of waiting) operations.push(operation)
  return { what, operations, collected: history.collected }
}

/** The history in which one operation answered something else. */
export function answering(
  history: CleanHistory,
  { operation, output, what }: { operation: Operation; output: Operation['output']; what: string },
): Mutant {
  return changed(history, { what, replace: new Map([[operation, { ...operation, output }]]) })
}
