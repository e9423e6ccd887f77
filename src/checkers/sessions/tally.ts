/** Counts of whole numbers from 0 up to a size, and how many are at most a given one (Fenwick, 1994): log n each. */
export class Tally {
  total = 0
  readonly #sums: Int32Array

  constructor(size: number) {
    this.#sums = new Int32Array(size + 1)
  }

  add(number: number): void {
    this.total += 1
    for (let at = number + 1; at < this.#sums.length; at += at & -at) this.#sums[at]! += 1
  }

  /** How many of those that were added are at most the number. */
  upTo(number: number): number {
    let sum = 0
    for (let at = Math.min(number + 1, this.#sums.length - 1); at > 0; at -= at & -at) sum += this.#sums[at]!
    return sum
  }
}
