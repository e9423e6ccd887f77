/** A binary heap of numbers, the one with the smallest key first. Keys are looked up, and must not change meanwhile. */
export class SmallestFirst {
  readonly #key: Int32Array
  readonly #items: number[] = []

  constructor(key: Int32Array) {
    this.#key = key
  }

  get size(): number {
    return this.#items.length
  }

  /** The item with the smallest key; only when there is one. */
  get first(): number {
    return this.#items[0] as number
  }

  push(item: number): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >>> 1
      const above = items[parent] as number
      if (this.#keyOf(above) <= this.#keyOf(item)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  /** Takes the first item out; only when there is one. */
  pop(): number {
    const items = this.#items
    const first = items[0] as number
    const item = items.pop() as number
    const size = items.length
    if (size === 0) return first
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#keyOf(items[child + 1]) < this.#keyOf(items[child])) child += 1
      const below = items[child] as number
      if (this.#keyOf(below) >= this.#keyOf(item)) break
      items[at] = below
      at = child
    }
    items[at] = item
    return first
  }

  #keyOf(item: number | undefined): number {
    return this.#key[item as number] as number
  }
}
