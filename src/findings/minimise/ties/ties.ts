import type { Operation } from '../../../history/operation.js'

/**
 * Which operations of a history may only be left out together: a part of the history is *closed* when it has the causes
 * of everything in it. Whatever explains the whole history explains every closed part of it, so that a closed part which
 * nothing explains shows that nothing explains the whole.
 */
export interface Ties {
  /**
   * What has to stay where the operation stays, causes of causes left to the caller. `until` is the latest return of the
   * part: what began after it does not matter.
   */
  causesOf(operation: Operation, until: number): readonly Operation[]
  /** What a checker is to judge of a closed part, when answers tell also of objects that the part leaves out. */
  shown?(part: readonly Operation[]): readonly Operation[]
}

/** A closed part of a history. */
export interface ClosedPart {
  /** In the order of the history. */
  readonly operations: readonly Operation[]
  readonly until: number
}

/** The smallest closed part of the history with these operations in it. */
export function closed(
  seed: Iterable<Operation>,
  { ties, history }: { ties: Ties; history: readonly Operation[] },
): ClosedPart {
  const operations = new Set(seed)
  for (let until = latestReturn(operations); ; until = latestReturn(operations)) {
    const before = operations.size
    // What is added while the set is gone through is gone through as well.
    for (const operation of operations) {
      for (const cause of ties.causesOf(operation, until)) operations.add(cause)
    }
    if (operations.size > before && latestReturn(operations) > until) continue
    return { operations: history.filter((operation) => operations.has(operation)), until }
  }
}

function latestReturn(operations: Iterable<Operation>): number {
  let latest = -1
  for (const { complete_ts: completed } of operations) {
    if (completed !== null && completed > latest) latest = completed
  }
  return latest
}
