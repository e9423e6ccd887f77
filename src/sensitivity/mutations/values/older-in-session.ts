import type { Access, ValueHistory } from './accesses.js'
import { soleWriter } from './known.js'

/** How far back in a process's operations an older value is looked for. */
const furthestBack = 12

/** A value that a process knew before another one, and the operation that showed it the newer one. */
export interface Older {
  readonly value: string
  readonly newer: Access
}

/**
 * A value from before the one that the process had to do with just before the read at `place`, one after the other in
 * time. It has one writer, so that nothing can have brought it back in between.
 */
export function olderInSession(
  accesses: readonly Access[],
  place: number,
  { values, newerIs }: { values: ValueHistory; newerIs: 'read' | 'write' },
): Older | null {
  const read = accesses[place]
  const newer = accesses[place - 1]
  if (read?.meeting === undefined || newer === undefined || !follows(newer, read)) return null
  if ((newer.writes === undefined) !== (newerIs === 'read')) return null
  const left = newer.writes ?? newer.reads
  for (let back = place - 2; back >= Math.max(0, place - furthestBack); back -= 1) {
    const [older, next] = [accesses[back], accesses[back + 1]]
    if (older === undefined || next === undefined || !follows(older, next)) return null
    // That a process read another's value after its own write does not say which of the two is newer.
    if (newerIs === 'read' && older.writes !== undefined) continue
    const seen = older.writes ?? older.reads
    if (seen === undefined || left === undefined || seen === left || seen === read.reads) continue
    if (soleWriter(values, seen) !== null) return { value: seen, newer }
  }
  return null
}

function follows(first: Access, second: Access): boolean {
  const isSameRoute = first.operation.node_seen === second.operation.node_seen
  return isSameRoute && (first.operation.complete_ts ?? Infinity) < second.operation.invoke_ts
}
