import { never } from '../../part.js'
import { reusable } from './scratch.js'

const eventMemory = reusable()

/** For each cluster of operations the first return (`never` when nothing returned, -1 when before all events) and the last invocation (-1 when none). */
export interface Zones {
  readonly firstReturn: Int32Array
  readonly lastInvoke: Int32Array
}

/**
 * Two clusters each of which must come wholly before the other, or null when there are none.
 *
 * A cluster is what must take effect in one block. When something of u returned before something of v was invoked, the
 * block of u comes first; two clusters for which that holds both ways contradict each other. Without such a pair the
 * blocks can be put in order (Gibbons and Korach, Testing Shared Memories, 1997): those with `firstReturn < lastInvoke`
 * occupy disjoint intervals and keep their places, each of the others fits at a point outside these intervals.
 *
 * One sweep over the ranks: a cluster enters at its first return, and is asked at its last invocation for a cluster that
 * has entered and has a later invocation than its own first return. The two latest are enough to know, so that it
 * does not find itself. Linear in events and clusters.
 */
export function conflict(
  { firstReturn, lastInvoke }: Zones,
  events: number,
): readonly [number, number] | null {
  const count = firstReturn.length
  const at = eventMemory(events, 0)
  let latest = -1
  let latestOf = -1
  let second = -1
  let secondOf = -1
  for (let cluster = 0; cluster < count; cluster += 1) {
    const first = firstReturn[cluster] as number
    const last = lastInvoke[cluster] as number
    if (first === never) continue
    if (last >= 0) at[last] = -(cluster + 1)
    if (first >= 0) {
      at[first] = cluster + 1
    } else if (last > latest) {
      second = latest
      secondOf = latestOf
      latest = last
      latestOf = cluster
    } else if (last > second) {
      second = last
      secondOf = cluster
    }
  }
  for (let rank = 0; rank < events; rank += 1) {
    const event = at[rank] as number
    if (event > 0) {
      const last = lastInvoke[event - 1] as number
      if (last > latest) {
        second = latest
        secondOf = latestOf
        latest = last
        latestOf = event - 1
      } else if (last > second) {
        second = last
        secondOf = event - 1
      }
    } else if (event < 0) {
      const cluster = -event - 1
      const isItself = latestOf === cluster
      if ((isItself ? second : latest) > (firstReturn[cluster] as number)) {
        return [cluster, isItself ? secondOf : latestOf]
      }
    }
  }
  return null
}
