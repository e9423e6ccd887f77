/** Sorted offsets from which ranges are taken once: what was taken is skipped from then on, in almost constant time. */
export class OffsetList {
  readonly #offsets: Float64Array
  /** The index of the next offset that is still there, at or after each. */
  readonly #next: Uint32Array

  constructor(offsets: Iterable<number>) {
    this.#offsets = Float64Array.from(offsets).sort()
    this.#next = Uint32Array.from({ length: this.#offsets.length + 1 }, (_, i) => i)
  }

  /** Takes the offsets from `from` to `to`, both included, that were not taken before. */
  take(from: number, to: number): readonly number[] {
    const taken: number[] = []
    let index = this.#find(this.#firstFrom(from))
    while (index < this.#offsets.length && (this.#offsets[index] as number) <= to) {
      taken.push(this.#offsets[index] as number)
      this.#next[index] = index + 1
      index = this.#find(index + 1)
    }
    return taken
  }

  #firstFrom(from: number): number {
    let low = 0
    let high = this.#offsets.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#offsets[middle] as number) < from) low = middle + 1
      else high = middle
    }
    return low
  }

  #find(index: number): number {
    let root = index
    while (this.#next[root] !== root) root = this.#next[root] as number
    let at = index
    while (this.#next[at] !== root) {
      const after = this.#next[at] as number
      this.#next[at] = root
      at = after
    }
    return root
  }
}
