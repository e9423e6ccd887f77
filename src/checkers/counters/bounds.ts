import type { Operation } from '../../history/operation.js'

/** An operation that adds to a counter, and may have happened. */
export interface Addition {
  readonly operation: Operation
  readonly amount: number
}

/** Between which values a counter was from one moment to another. */
export interface Bounds {
  readonly least: number
  readonly most: number
}

/**
 * What adds can have done to one counter. An increment counts in full for what is certain once it has returned, and for
 * what is possible once it has begun; a decrement likewise, the other way round. Any linearizable counter keeps within.
 */
export class CounterBounds {
  readonly #begun: Sums
  readonly #returned: Sums
  readonly #init: number
  /** Whether no sum can be so large that it is rounded. */
  readonly isExact: boolean

  constructor(additions: readonly Addition[], init: number) {
    this.#init = init
    this.#begun = new Sums(additions, ({ operation }) => operation.invoke_ts)
    this.#returned = new Sums(
      additions.filter(({ operation }) => operation.complete_ts !== null),
      ({ operation }) => operation.complete_ts ?? Infinity,
    )
    const { up, down } = this.#begun.upTo(Infinity)
    this.isExact = Number.isSafeInteger(Math.abs(init) + up - down)
  }

  /** The values that the counter can have had at some moment from `invoked` to `completed`. */
  during(invoked: number, completed: number): Bounds {
    const certain = this.#returned.before(invoked)
    const possible = this.#begun.upTo(completed)
    return { least: this.#init + certain.up + possible.down, most: this.#init + possible.up + certain.down }
  }

  /** Additions that had returned before `invoked`, the latest first. */
  *returnedBefore(invoked: number): Iterable<Addition> {
    for (let place = this.#returned.countBefore(invoked) - 1; place >= 0; place -= 1) {
      yield this.#returned.additions[place] as Addition
    }
  }
}

interface Sum {
  /** Of the positive amounts, and of the negative ones. */
  readonly up: number
  readonly down: number
}

/** Sums of amounts up to a time, in the order of some time of each. */
class Sums {
  readonly additions: readonly Addition[]
  readonly #times: Float64Array
  readonly #up: Float64Array
  readonly #down: Float64Array

  constructor(additions: readonly Addition[], timeOf: (addition: Addition) => number) {
    this.additions = additions.toSorted((one, other) => timeOf(one) - timeOf(other))
    const { length } = additions
    this.#times = new Float64Array(length)
    this.#up = new Float64Array(length + 1)
    this.#down = new Float64Array(length + 1)
    for (const [place, addition] of this.additions.entries()) {
      const { amount } = addition
      this.#times[place] = timeOf(addition)
      this.#up[place + 1] = (this.#up[place] as number) + Math.max(amount, 0)
      this.#down[place + 1] = (this.#down[place] as number) + Math.min(amount, 0)
    }
  }

  before(time: number): Sum {
    return this.#sumOf(this.countBefore(time))
  }

  upTo(time: number): Sum {
    return this.#sumOf(this.#count((at) => at <= time))
  }

  countBefore(time: number): number {
    return this.#count((at) => at < time)
  }

  /** How many of the first times satisfy what no time after the first failure does. */
  #count(holds: (at: number) => boolean): number {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.#times[middle] as number)) low = middle + 1
      else high = middle
    }
    return low
  }

  #sumOf(count: number): Sum {
    return { up: this.#up[count] as number, down: this.#down[count] as number }
  }
}
