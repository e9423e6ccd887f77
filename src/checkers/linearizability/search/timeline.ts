import { never } from '../part.js'

/** The events of a problem in order, and a bit for each completed operation among those open at one time. */
export interface Timeline {
  /** By rank: `operation + 1` for an invocation, `-(operation + 1)` for a return. */
  readonly events: Int32Array
  /** Of completed operations: a bit that is theirs from invocation to return. */
  readonly slots: Int32Array
  /** Words of 32 bits that hold all slots. */
  readonly words: number
  /** By rank: 1 where the event leaves no completed operation open. */
  readonly quiet: Uint8Array
  /** By operation: 1 for a completed one during which no other completed operation was open. */
  readonly alone: Uint8Array
}

/** Lays out a problem's events and gives its completed operations bits, the lowest that is free at the invocation. */
export function timelineOf({
  count,
  invoke,
  complete,
  events: size,
}: {
  readonly count: number
  readonly invoke: Int32Array
  readonly complete: Int32Array
  readonly events: number
}): Timeline {
  const events = new Int32Array(size)
  for (let operation = 0; operation < count; operation += 1) {
    events[invoke[operation] as number] = operation + 1
    const end = complete[operation] as number
    if (end !== never) events[end] = -(operation + 1)
  }
  const slots = new Int32Array(count)
  const quiet = new Uint8Array(size)
  const alone = new Uint8Array(count)
  const free: number[] = []
  let used = 0
  let open = 0
  /** The event before, leaving out invocations of operations that were never answered. */
  let last = 0
  for (let rank = 0; rank < size; rank += 1) {
    const event = events[rank] as number
    if (event > 0 && complete[event - 1] !== never) {
      slots[event - 1] = free.pop() ?? used++
      open += 1
      last = event
    } else if (event < 0) {
      free.push(slots[-event - 1] as number)
      open -= 1
      if (open === 0 && last === -event) alone[-event - 1] = 1
      last = event
    }
    if (open === 0) quiet[rank] = 1
  }
  return { events, slots, words: Math.max(1, (used + 31) >>> 5), quiet, alone }
}
