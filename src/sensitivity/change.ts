import type { Operation } from '../history/operation.js'
import type { Change, CleanHistory, Mutant } from './mutation.js'

/** The history with some operations replaced, left out (null) or put in, told in words. */
export function changed(
  history: CleanHistory,
  { what, replace = new Map(), insert = [] }: Partial<Change> & { readonly what: string },
): Mutant {
  const change = { replace, insert }
  return {
    what,
    change,
    operations: withChange(history.operations, change),
    collected: history.collected,
  }
}

/** The history in which one operation answered something else. */
export function answering(
  history: CleanHistory,
  { operation, output, what }: { operation: Operation; output: Operation['output']; what: string },
): Mutant {
  return changed(history, { what, replace: new Map([[operation, { ...operation, output }]]) })
}

/** The operations with the change made, in order of invocation. */
export function withChange(
  operations: readonly Operation[],
  { replace, insert }: Change,
): readonly Operation[] {
  const result: Operation[] = []
  const waiting = [...insert].sort((a, b) => a.invoke_ts - b.invoke_ts)
  for (const operation of operations) {
    while (waiting[0] !== undefined && waiting[0].invoke_ts < operation.invoke_ts) {
      result.push(waiting.shift() as Operation)
    }
    const kept = replace.size === 0 ? operation : replace.get(operation)
    if (kept !== null) result.push(kept ?? operation)
  }
  for (const operation of waiting) result.push(operation)
  return result
}
