import type { Change } from './changes.js'

/** How much credits and debits have added to all accounts together, as they go by in order of time. */
export class Deposits {
  /** Those that were answered: money in, and money out as a number below 0. */
  #answered = { in: 0, out: 0 }
  /** Those that were called, answered or not. */
  #called = { in: 0, out: 0 }
  /** Those that do not tell an amount. */
  unreadable = 0

  called({ sum }: Change): void {
    if (sum === null) this.unreadable += 1
    else this.#called = added(this.#called, sum)
  }

  answered({ sum }: Change): void {
    if (sum !== null) this.#answered = added(this.#answered, sum)
  }

  /** What has surely been added up to now. */
  get now(): Readonly<{ in: number; out: number }> {
    return this.#answered
  }

  /** The least and the most that can have been added at any one moment since `then`. */
  since(then: Readonly<{ in: number; out: number }>): { least: number; most: number } {
    return { least: then.in + this.#called.out, most: then.out + this.#called.in }
  }
}

function added(sums: Readonly<{ in: number; out: number }>, sum: number): { in: number; out: number } {
  return sum > 0
    ? { in: sums.in + sum, out: sums.out }
    : sum < 0
      ? { in: sums.in, out: sums.out + sum }
      : sums
}
