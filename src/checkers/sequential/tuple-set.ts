const firstCapacity = 1 << 8
const bytesPerWord = 4

/** A set of tuples of small integers, all of one length: open addressing over a typed array, compared exactly. */
export class TupleSet {
  readonly #length: number
  readonly #mostBytes: number
  #tuples: Int32Array
  #occupied = new Uint8Array(firstCapacity)
  #size = 0
  #isFull = false

  /** Takes at most `mostBytes` of memory. */
  constructor(length: number, mostBytes: number) {
    this.#length = length
    this.#mostBytes = mostBytes
    this.#tuples = new Int32Array(firstCapacity * length)
  }

  get size(): number {
    return this.#size
  }

  /** True once a tuple could not be added because its memory is not left. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** False when the tuple is there already. */
  add(tuple: Int32Array): boolean {
    if ((this.#size + 1) * 2 > this.#occupied.length) this.#grow()
    if (this.#isFull) return true
    const place = this.#find(tuple)
    if (this.#occupied[place] === 1) return false
    this.#enter(place, tuple)
    this.#size += 1
    return true
  }

  #enter(place: number, tuple: Int32Array): void {
    this.#occupied[place] = 1
    this.#tuples.set(tuple, place * this.#length)
  }

  #find(tuple: Int32Array): number {
    let hash = 0
    for (const one of tuple) hash = Math.imul((hash ^ one) + 1, 0x9e3779b1) ^ (hash >>> 15)
    const mask = this.#occupied.length - 1
    let place = (hash ^ (hash >>> 16)) & mask
    while (this.#occupied[place] === 1 && !this.#holds(place, tuple)) place = (place + 1) & mask
    return place
  }

  #holds(place: number, tuple: Int32Array): boolean {
    const base = place * this.#length
    return tuple.every((one, at) => this.#tuples[base + at] === one)
  }

  #grow(): void {
    const old = this.#tuples
    const capacity = this.#occupied.length
    if (old.byteLength * 3 + capacity * 3 > this.#mostBytes) {
      this.#isFull = true
      return
    }
    const occupied = this.#occupied
    this.#tuples = new Int32Array((old.byteLength / bytesPerWord) * 2)
    this.#occupied = new Uint8Array(capacity * 2)
    for (let from = 0; from < capacity; from += 1) {
      if (occupied[from] === 0) continue
      const tuple = old.subarray(from * this.#length, (from + 1) * this.#length)
      this.#enter(this.#find(tuple), tuple)
    }
  }
}
