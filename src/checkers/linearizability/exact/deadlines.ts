/** Operations that are open, of which the one that completes first is taken out first. A binary heap. */
export class Deadlines {
  readonly #complete: Int32Array
  #heap = new Int32Array(64)
  #size = 0

  /** `complete` is the deadline of each operation. */
  constructor(complete: Int32Array) {
    this.#complete = complete
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  add(operation: number): void {
    if (this.#size === this.#heap.length) {
      const grown = new Int32Array(2 * this.#size)
      grown.set(this.#heap)
      this.#heap = grown
    }
    const heap = this.#heap
    const complete = this.#complete
    const deadline = complete[operation]!
    let at = this.#size
    this.#size += 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (complete[heap[parent]!]! <= deadline) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = operation
  }

  /** Takes out the operation that completes first. Must not be empty. */
  take(): number {
    const heap = this.#heap
    const complete = this.#complete
    const first = heap[0]!
    this.#size -= 1
    const size = this.#size
    const last = heap[size]!
    const deadline = complete[last]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && complete[heap[child + 1]!]! < complete[heap[child]!]!) child += 1
      if (complete[heap[child]!]! >= deadline) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }

  clear(): void {
    this.#size = 0
  }
}
