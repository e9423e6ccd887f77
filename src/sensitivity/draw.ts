import type { Operation } from '../history/operation.js'
import type { Random } from '../random/random.js'

/** What `look` finds at one of the items, from a random one on; null when it finds nothing at any. */
export function drawFrom<Item, Found>(
  items: readonly Item[],
  random: Random,
  look: (item: Item) => Found | null,
): Found | null {
  if (items.length === 0) return null
  const first = random.int(0, items.length - 1)
  for (let step = 0; step < items.length; step += 1) {
    const found = look(items[(first + step) % items.length] as Item)
    if (found !== null) return found
  }
  return null
}

/** How many of the items, which are in order of `place`, are placed before the limit. */
export function countBefore<Item>(
  items: readonly Item[],
  limit: number,
  place: (item: Item) => number,
): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (place(items[middle] as Item) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** How many operations after one are considered. */
const nearest = 8

/**
 * Draws from the lists, each in order of invocation, two operations of one list of which the second was invoked after the
 * first had returned and comes soon after it, until `make` makes something of them; null when it never does.
 */
export function drawSuccessors<Made>(
  lists: readonly (readonly Operation[])[],
  random: Random,
  make: (first: Operation, second: Operation) => Made | null,
): Made | null {
  return drawFrom(lists, random, (its) =>
    drawFrom(its, random, (first) => {
      const from = countBefore(its, (first.complete_ts ?? Infinity) + 1, ({ invoke_ts: invoked }) => invoked)
      return drawFrom(its.slice(from, from + nearest), random, (second) => make(first, second))
    }),
  )
}
