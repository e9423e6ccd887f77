import type { Json } from '../../json.js'

/** Items in the order in which they came, taken from either end. Taking the oldest of many costs no more than of few. */
export class Items {
  #items: Json[]
  #first = 0

  constructor(items: readonly Json[] = []) {
    this.#items = [...items]
  }

  get size(): number {
    return this.#items.length - this.#first
  }

  put(item: Json): void {
    this.#items.push(item)
  }

  /** Null when there is none. */
  takeNewest(): Json {
    return this.size === 0 ? null : (this.#items.pop() ?? null)
  }

  /** Null when there is none. */
  takeOldest(): Json {
    if (this.size === 0) return null
    const item = this.#items[this.#first] ?? null
    this.#first += 1
    if (this.#first > 1_000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
    return item
  }
}
