import { never, type Part, type Violation } from '../../part.js'

/** A violation, and the rank of an event, at most the `limit` of the search for it, by which it was complete. */
export interface Found {
  readonly violation: Violation
  readonly last: number
}

/** The operation's return as known when the history ends with the event `limit`. */
export function returnBy(part: Part, { operation, limit }: { operation: number; limit: number }): number {
  const complete = part.complete[operation] as number
  return complete > limit ? never : complete
}

/** The violation made of these operations, in order of invocation and each once, in a history that ends with `limit`. */
export function foundAmong(
  part: Part,
  {
    operations,
    limit,
    ...told
  }: Pick<Violation, 'type' | 'explain'> & { operations: readonly number[]; limit: number },
): Found {
  const once = [...new Set(operations.filter((operation) => operation >= 0))]
  once.sort((x, y) => (part.invoke[x] as number) - (part.invoke[y] as number))
  const last = once.reduce((latest, operation) => {
    const complete = returnBy(part, { operation, limit })
    return Math.max(latest, complete === never ? (part.invoke[operation] as number) : complete)
  }, -1)
  return { violation: { ...told, operations: once }, last: Math.min(last, limit) }
}

/**
 * The violation with which the history breaks first, given one that was found somewhere.
 *
 * Cutting a history after an event leaves it linearizable, so the first event at which it breaks is found by halving:
 * `find` looks for a violation up to an event. Most often the first violation is the only one, and one look settles it.
 */
export function earliest(found: Found, find: (limit: number) => Found | null): Violation {
  let best = found
  let intact = -1
  while (best.last - 1 > intact) {
    const before = find(best.last - 1)
    if (before === null) break
    best = before
    const middle = (intact + best.last) >>> 1
    const half = find(middle)
    if (half === null) intact = middle
    else best = half
  }
  return best.violation
}
