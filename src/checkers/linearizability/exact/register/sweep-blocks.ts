import { never, none, registerKind, type Part } from '../../part.js'
import { reusable } from './scratch.js'

/** What is wrong with a history whose written values are distinct; nothing when both are null. */
export interface Swept {
  /** The first return of a read whose value nobody had begun to write by then. */
  readonly early: number | null
  /** Two values whose blocks must each come wholly before the other. */
  readonly clusters: readonly [number, number] | null
}

const eventMemory = reusable()
const writtenMemory = reusable()
const firstReturnMemory = reusable()
const lastInvokeMemory = reusable()

/**
 * Goes through the events of a register up to the rank `limit`, for reads that saw a value before it was written and for
 * values whose blocks contradict each other. Returns in words why it cannot tell: values are not distinct.
 *
 * The rule is that of `conflict`, applied as time goes on. The block of a value, its write and reads, enters at its first
 * return. Whenever something of an entered block is invoked, it is a contradiction when something of another
 * entered block was invoked after the first return of this one: each then has a return before an invocation of the other.
 * Of a pair, the one with the later last invocation notices. The two entered blocks that were invoked last are enough to
 * know, so that a block does not find itself.
 *
 * Linear: one pass over the operations, and one over the events with a few steps for each.
 */
export function sweepBlocks(part: Part, limit: number): Swept | string {
  const written = writtenMemory(part.values, never)
  /** By rank, `value + 1` for an invocation and `-(value + 1)` for a return; 0 for what does not count. */
  const events = eventMemory(part.events, 0)
  return arrange(part, { limit, written, events }) ?? sweep(events, { limit, written })
}

/** Fills in when each value's write began, and the events. Returns why values are not distinct, or null. */
function arrange(
  { count, kind, a, invoke, complete }: Part,
  { limit, written, events }: { limit: number; written: Int32Array; events: Int32Array },
): string | null {
  // The initial value was there before all events.
  written[0] = -1
  for (let operation = 0; operation < count; operation += 1) {
    const value = a[operation] as number
    const began = invoke[operation] as number
    const ended = complete[operation] as number
    if (kind[operation] === registerKind.read) {
      if (ended > limit) continue
    } else {
      if (kind[operation] !== registerKind.write) return 'there are operations other than reads and writes'
      if (written[value] !== never) return 'a value is written more than once'
      written[value] = began
      if (began > limit) continue
    }
    events[began] = value + 1
    if (ended <= limit) events[ended] = -value - 1
  }
  return null
}

function sweep(events: Int32Array, { limit, written }: { limit: number; written: Int32Array }): Swept {
  const firstReturn = firstReturnMemory(written.length, never)
  const lastInvoke = lastInvokeMemory(written.length, -1)
  firstReturn[0] = -1
  let latest = -1
  let latestOf = 0
  let second = -1
  let secondOf = none
  let early: number | null = null
  let clusters: readonly [number, number] | null = null
  for (let rank = 0; rank <= limit; rank += 1) {
    const event = events[rank] as number
    if (event > 0) {
      const value = event - 1
      const first = firstReturn[value] as number
      lastInvoke[value] = rank
      if (first === never) continue
      if (latestOf === value) {
        if (second > first) clusters ??= [value, secondOf]
      } else {
        if (latest > first) clusters ??= [value, latestOf]
        second = latest
        secondOf = latestOf
        latestOf = value
      }
      latest = rank
    } else if (event < 0) {
      const value = -event - 1
      if (firstReturn[value] !== never) continue
      firstReturn[value] = rank
      if ((written[value] as number) > rank) early ??= rank
      const last = lastInvoke[value] as number
      if (last > latest) {
        second = latest
        secondOf = latestOf
        latest = last
        latestOf = value
      } else if (last > second) {
        second = last
        secondOf = value
      }
    }
  }
  return { early, clusters }
}
