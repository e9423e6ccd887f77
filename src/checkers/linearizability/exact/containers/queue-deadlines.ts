import { never, none, type Part } from '../../part.js'
import type { Elements } from './elements.js'
import { putEvents } from './put-events.js'

/** The elements of a queue that takes of unknown outcome must have removed, if they left. */
export interface Deadlines {
  /** Elements whose put returned and that no take returned, by their deadlines. */
  readonly unseen: readonly number[]
  /**
   * By value id, of the unseen ones: the rank by which it must be gone, where the first take returns of an element that
   * was put wholly after it; `never` when it may stay.
   */
  readonly deadline: Int32Array
  /** Ranks, ascending, at which the takes of unknown outcome begin. */
  readonly takesBegin: Int32Array
}

/** One sweep over the events, backwards. */
export function deadlinesOf(part: Part, elements: Elements): Deadlines {
  const { count, take, takeComplete, unknownTakes } = elements
  const deadline = new Int32Array(count).fill(never)
  const unseen: number[] = []
  const events = putEvents(part, elements)
  let first = never
  for (let rank = part.events - 1; rank >= 0; rank -= 1) {
    const event = events[rank] as number
    if (event > 0 && take[event - 1] !== none) {
      first = Math.min(first, takeComplete[event - 1] as number)
    } else if (event < 0 && take[-event - 1] === none) {
      deadline[-event - 1] = first
      unseen.push(-event - 1)
    }
  }
  // What was put later has no earlier deadline.
  unseen.reverse()
  const takesBegin = Int32Array.from(unknownTakes, (operation) => part.invoke[operation] as number).sort()
  return { unseen, deadline, takesBegin }
}

/** The takes of unknown outcome that began before the rank. */
export function unknownTakesBefore(part: Part, { unknownTakes }: Elements, rank: number): number[] {
  return unknownTakes.filter((operation) => (part.invoke[operation] as number) < rank)
}

/**
 * The element put last among those taken by the deadline of another: whatever had to be gone by then was put wholly
 * before it.
 */
export function witnessOf({ count, take, putInvoke, takeComplete }: Elements, deadline: number): number {
  let witness = none
  for (let element = 0; element < count; element += 1) {
    if (take[element] === none || (takeComplete[element] as number) > deadline) continue
    if (witness === none || (putInvoke[element] as number) > (putInvoke[witness] as number)) witness = element
  }
  if (witness === none) throw new Error('a deadline comes from an element that was taken')
  return witness
}
