import { never, type Part } from '../../part.js'
import type { Deadlines } from './queue-deadlines.js'

/** The events in periods during which no deadline passes and no take of unknown outcome begins. */
export interface Counts {
  /** By rank: its period. */
  readonly periodAt: Int32Array
  /** First ranks of the periods, and at the end the number of events. */
  readonly starts: readonly number[]
  /** By period: how many more takes of unknown outcome have begun than elements are past their deadlines. */
  readonly spare: readonly number[]
}

/** Linear. */
export function countsOf(part: Part, { unseen, deadline, takesBegin }: Deadlines): Counts {
  const change = new Int32Array(part.events)
  for (const rank of takesBegin) change[rank] = 1
  for (const element of unseen) {
    const rank = deadline[element] as number
    if (rank !== never) change[rank] = (change[rank] as number) - 1
  }
  const periodAt = change
  const starts = [0]
  const spare = [0]
  for (let rank = 0; rank < part.events; rank += 1) {
    const difference = change[rank] as number
    if (difference !== 0) {
      const before = spare.at(-1) as number
      if (starts.at(-1) === rank) spare[spare.length - 1] = before + difference
      else {
        starts.push(rank)
        spare.push(before + difference)
      }
    }
    periodAt[rank] = starts.length - 1
  }
  return { periodAt, starts: [...starts, part.events], spare }
}
