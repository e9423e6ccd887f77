import { RangeTree } from './range-tree.js'

/** Operations by a rank of theirs: finds the earliest return of those beyond a rank, in O(log n). */
export class EarliestReturn {
  readonly #events: number
  readonly #tree: RangeTree

  constructor(events: number) {
    this.#events = events
    this.#tree = new RangeTree(new Int32Array(events).fill(events))
  }

  /** At most one operation has the rank. */
  add(rank: number, returns: number): void {
    this.#tree.add(rank, rank + 1, returns - this.#events)
  }

  /** The number of events when there is none. */
  beyond(rank: number): number {
    return Math.min(this.#events, this.#tree.leastOf(rank + 1, this.#events))
  }
}
