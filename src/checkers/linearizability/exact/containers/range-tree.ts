/** More than any stored number, and small enough that adding to it does not overflow. */
const beyond = 2 ** 29

/**
 * Numbers at places 0, 1, …: adds to a range of places and finds the least of a range, each in O(log n).
 *
 * A segment tree in arrays, climbed from the leaves. A node holds the least number below it, and what was added to all
 * places below it at once stays at the node. Leaves at both ends and up to the next power of two are padding.
 */
export class RangeTree {
  readonly #leaves: number
  readonly #least: Int32Array
  readonly #added: Int32Array

  /** The numbers to begin with, each smaller than 2^29 in absolute value. */
  constructor(numbers: Int32Array) {
    let leaves = 2
    while (leaves < numbers.length + 2) leaves *= 2
    this.#leaves = leaves
    this.#least = new Int32Array(2 * leaves).fill(beyond)
    this.#added = new Int32Array(2 * leaves)
    this.#least.set(numbers, leaves + 1)
    for (let node = leaves - 1; node > 0; node -= 1) this.#update(node)
  }

  /** The least of all numbers. */
  get least(): number {
    return this.#least[1] as number
  }

  /** Adds `amount` to the numbers at `from` up to, and not including, `to`. */
  add(from: number, to: number, amount: number): void {
    if (from >= to) return
    const least = this.#least
    const added = this.#added
    let left = this.#leaves + from
    let right = this.#leaves + to + 1
    while ((left ^ right) !== 1) {
      if ((left & 1) === 0) {
        least[left ^ 1] = (least[left ^ 1] as number) + amount
        added[left ^ 1] = (added[left ^ 1] as number) + amount
      }
      if ((right & 1) === 1) {
        least[right ^ 1] = (least[right ^ 1] as number) + amount
        added[right ^ 1] = (added[right ^ 1] as number) + amount
      }
      left >>= 1
      right >>= 1
      this.#update(left)
      this.#update(right)
    }
    for (left >>= 1; left > 0; left >>= 1) this.#update(left)
  }

  /** The least of the numbers at `from` up to, and not including, `to`; more than 2^28 when there is none. */
  leastOf(from: number, to: number): number {
    if (from >= to) return beyond
    const least = this.#least
    const added = this.#added
    let left = this.#leaves + from
    let right = this.#leaves + to + 1
    let leastLeft = beyond
    let leastRight = beyond
    while ((left ^ right) !== 1) {
      if ((left & 1) === 0) leastLeft = Math.min(leastLeft, least[left ^ 1] as number)
      if ((right & 1) === 1) leastRight = Math.min(leastRight, least[right ^ 1] as number)
      left >>= 1
      right >>= 1
      leastLeft += added[left] as number
      leastRight += added[right] as number
    }
    let found = Math.min(leastLeft, leastRight)
    for (left >>= 1; left > 0; left >>= 1) found += added[left] as number
    return found
  }

  /** The first place that holds the least of all numbers. */
  placeOfLeast(): number {
    const least = this.#least
    let node = 1
    while (node < this.#leaves) {
      node *= 2
      if ((least[node + 1] as number) < (least[node] as number)) node += 1
    }
    return node - this.#leaves - 1
  }

  #update(node: number): void {
    const left = this.#least[2 * node] as number
    const right = this.#least[2 * node + 1] as number
    this.#least[node] = (left < right ? left : right) + (this.#added[node] as number)
  }
}
