const removed = -1

/** The returns of operations in a fixed order: finds the first that returns after a rank, in O(log n). */
export class ReturnTree {
  readonly #leaves: number
  readonly #latest: Int32Array

  constructor(returns: Int32Array) {
    let leaves = 1
    while (leaves < returns.length) leaves *= 2
    this.#leaves = leaves
    this.#latest = new Int32Array(2 * leaves).fill(removed)
    this.#latest.set(returns, leaves)
    for (let node = leaves - 1; node > 0; node -= 1) this.#latest[node] = this.#later(node)
  }

  /** The first position whose operation returns after the rank; negative when there is none. */
  firstAfter(rank: number): number {
    const latest = this.#latest
    if ((latest[1] as number) <= rank) return -1
    let node = 1
    while (node < this.#leaves) {
      node *= 2
      if ((latest[node] as number) <= rank) node += 1
    }
    return node - this.#leaves
  }

  remove(position: number): void {
    let node = this.#leaves + position
    this.#latest[node] = removed
    for (node >>= 1; node > 0; node >>= 1) {
      const later = this.#later(node)
      if (this.#latest[node] === later) return
      this.#latest[node] = later
    }
  }

  #later(node: number): number {
    const left = this.#latest[2 * node] as number
    const right = this.#latest[2 * node + 1] as number
    return left > right ? left : right
  }
}
