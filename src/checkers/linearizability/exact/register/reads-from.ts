import { never, none, registerKind, type Part } from '../../part.js'
import { reusable } from './scratch.js'

/** Read from the initial value. */
export const initialWrite = -2
/** There are several writes that it may have seen. */
export const ambiguous = -3

/** Which write each read saw, as far as that is certain, in the history up to the event `limit`. */
export interface ReadsFrom {
  /** By read, its write; `none` when there is none that it can have seen, `initialWrite` or `ambiguous`. */
  readonly source: Int32Array
  /** By read, the latest invoked of the writes that had returned before it began; `none` when none had. */
  readonly newest: Int32Array
  readonly ambiguities: number
  /** The read that returned first of those that saw a value that cannot have been there; `none` when all is well. */
  readonly impossible: number
}

const eventMemory = reusable()
const sourceMemory = reusable()
const newestMemory = reusable()
const openCountMemory = reusable()
const openMemory = reusable()
const lastReturnedMemory = reusable()
const returnedBeforeMemory = reusable()

/**
 * Finds for every read the writes of its value that it can have seen: those invoked before it returned, except the ones
 * that had returned before the invocation of some other write that itself had returned before the read began.
 *
 * One sweep over the events. Of each value it keeps how many writes are open, with their indexes combined by exclusive or,
 * so that the only one is known, and the writes that returned, in that order: of these, the ones that count are the
 * latest, and two of them are enough to know. Linear, with a constant number of steps for each event.
 */
export function readsFrom(part: Part, limit: number): ReadsFrom {
  const { count, kind, a, invoke, complete, values } = part
  const last = Math.min(limit, part.events - 1)
  const events = eventMemory(part.events, 0)
  for (let operation = 0; operation < count; operation += 1) {
    events[invoke[operation] as number] = operation + 1
    if (complete[operation] !== never) events[complete[operation] as number] = -(operation + 1)
  }
  const source = sourceMemory(count, none)
  const newest = newestMemory(count, none)
  const openCount = openCountMemory(values, 0)
  const open = openMemory(values, 0)
  const lastReturned = lastReturnedMemory(values, none)
  const returnedBefore = returnedBeforeMemory(count, none)
  let newestWrite = none
  let ambiguities = 0

  for (let rank = 0; rank <= last; rank += 1) {
    const event = events[rank] as number
    const operation = Math.abs(event) - 1
    const value = a[operation] as number
    if (kind[operation] === registerKind.write) {
      openCount[value] = (openCount[value] as number) + Math.sign(event)
      open[value] = (open[value] as number) ^ operation
      if (event > 0) continue
      returnedBefore[operation] = lastReturned[value] as number
      lastReturned[value] = operation
      if (newestWrite === none || (invoke[operation] as number) > (invoke[newestWrite] as number)) {
        newestWrite = operation
      }
    } else if (kind[operation] === registerKind.read) {
      if (event > 0) {
        newest[operation] = newestWrite
        continue
      }
      const newer = newest[operation] as number
      const hiddenBefore = newer === none ? -1 : (invoke[newer] as number)
      let found = openCount[value] as number
      let only = found === 1 ? (open[value] as number) : none
      if (value === 0 && newer === none) {
        found += 1
        only = initialWrite
      }
      for (
        let write = lastReturned[value] as number;
        found < 2 && write !== none && (complete[write] as number) >= hiddenBefore;
        write = returnedBefore[write] as number
      ) {
        found += 1
        only = write
      }
      if (found === 0) return { source, newest, ambiguities, impossible: operation }
      source[operation] = found === 1 ? only : ambiguous
      if (found > 1) ambiguities += 1
    }
  }
  return { source, newest, ambiguities, impossible: none }
}
