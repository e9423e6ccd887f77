import type { Operation } from '../../../history/operation.js'
import type { LogRead } from '../../logs/log-history.js'
import { returned } from '../accounts.js'

/** A record that a consumer got where it should not have. */
export interface Misplaced {
  readonly read: Operation
  readonly offset: number
  /** What it came after: an offset beyond it, and the read that showed that; null when it lies before `from`. */
  readonly after: { readonly offset: number; readonly read: Operation } | null
  /** Where the reader asked to begin, when it lies before that. */
  readonly from: number | null
}

type Seen = { readonly offset: number; readonly read: Operation }

/**
 * Judges what each consumer of one log got: offsets grow, but for records that at most `window` later ones overtook, and
 * none lies before the position that was asked for. A read that asks for a position begins anew; one that does not goes
 * on behind the consumer's read before. The first misplaced record of each read is reported.
 */
export function misplaced(reads: readonly LogRead[], window: number): readonly Misplaced[] {
  const found: Misplaced[] = []
  const lastOf = new Map<Operation['process_id'], { read: Operation; highest: Seen[] }>()
  for (const { operation: read, from, offsets, isList } of reads) {
    if (isList) continue
    const last = lastOf.get(read.process_id)
    const goesOn = from === null && last !== undefined && returned(last.read) < read.invoke_ts
    const highest = goesOn ? last.highest : []
    lastOf.set(read.process_id, { read, highest })
    let isFound = false
    for (const offset of offsets) {
      const isBefore = from !== null && offset < from
      const bar = highest.length > window ? highest[0] : undefined
      const after = bar !== undefined && bar.offset > offset ? bar : null
      if (!isFound && (isBefore || after !== null)) {
        isFound = true
        found.push({ read, offset, after: isBefore ? null : after, from: isBefore ? from : null })
      }
      keep(highest, { offset, read }, window + 1)
    }
  }
  return found
}

/** Keeps the highest offsets, at most so many, the lowest of them first. */
function keep(highest: Seen[], seen: Seen, most: number): void {
  let place = highest.length
  while (place > 0 && (highest[place - 1] as Seen).offset > seen.offset) place -= 1
  if (highest.length < most) highest.splice(place, 0, seen)
  else if (place > 0) {
    highest.splice(place, 0, seen)
    highest.shift()
  }
}
