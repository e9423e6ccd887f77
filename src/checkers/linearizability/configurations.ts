const initialCapacity = 1 << 10
/** Measured on V8: a map entry with its key and list. */
const bytesPerFurtherSet = 200

/**
 * The configurations that a search has been in. Exact: nothing is decided by a hash alone.
 *
 * A configuration is the first return that is not linearized yet, the state, the bits of the linearized ones among the
 * operations open at that return, and the operations of unknown outcome that were used up. One that used up fewer of
 * these can do all that one which used up more can: it dominates it.
 */
export class Configurations {
  readonly #words: number
  readonly #stride: number
  #capacity = initialCapacity
  #slots: Int32Array
  #occupied: Uint8Array
  /** Further minimal sets of used-up operations, where an entry has more than one. */
  readonly #more = new Map<string, number[]>()
  #size = 0

  constructor(words: number) {
    this.#words = words
    this.#stride = 3 + words
    this.#slots = new Int32Array(this.#capacity * this.#stride)
    this.#occupied = new Uint8Array(this.#capacity)
  }

  get size(): number {
    return this.#size
  }

  /** Memory of the tables. */
  get bytes(): number {
    return this.#slots.byteLength + this.#occupied.byteLength + this.#more.size * bytesPerFurtherSet
  }

  /**
   * Enters a configuration; false when it, or one that dominates it, is there already.
   * `dominates(a, b)` says whether the set with id `a` is contained in the one with id `b`.
   */
  add(
    position: number,
    state: number,
    open: Int32Array,
    used: number,
    dominates: (a: number, b: number) => boolean,
  ): boolean {
    if ((this.#size + 1) * 2 > this.#capacity) this.#grow()
    const slot = this.#find(position, state, open)
    const base = slot * this.#stride
    if (this.#occupied[slot] === 0) {
      this.#occupied[slot] = 1
      this.#slots[base] = position
      this.#slots[base + 1] = state
      this.#slots[base + 2] = used
      this.#slots.set(open, base + 3)
      this.#size += 1
      return true
    }
    const first = this.#slots[base + 2] as number
    if (first === used || dominates(first, used)) return false
    const key = `${position},${state},${open.join()}`
    const more = this.#more.get(key)
    if (more?.some((other) => other === used || dominates(other, used))) return false
    if (more) more.push(used)
    else this.#more.set(key, [used])
    this.#size += 1
    return true
  }

  #find(position: number, state: number, open: Int32Array): number {
    const mask = this.#capacity - 1
    let hash = Math.imul(position, 0x9e3779b1) ^ Math.imul(state + 1, 0x85ebca6b)
    for (let word = 0; word < this.#words; word += 1) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ (open[word] as number), 0xc2b2ae35)
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f)
    let slot = (hash ^ (hash >>> 16)) & mask
    while (this.#occupied[slot] === 1 && !this.#holds(slot, position, state, open)) slot = (slot + 1) & mask
    return slot
  }

  #holds(slot: number, position: number, state: number, open: Int32Array): boolean {
    const base = slot * this.#stride
    if (this.#slots[base] !== position || this.#slots[base + 1] !== state) return false
    for (let word = 0; word < this.#words; word += 1) {
      if (this.#slots[base + 3 + word] !== open[word]) return false
    }
    return true
  }

  #grow(): void {
    const oldSlots = this.#slots
    const oldOccupied = this.#occupied
    this.#capacity *= 2
    this.#slots = new Int32Array(this.#capacity * this.#stride)
    this.#occupied = new Uint8Array(this.#capacity)
    for (let old = 0; old < oldOccupied.length; old += 1) {
      if (oldOccupied[old] === 0) continue
      const entry = oldSlots.subarray(old * this.#stride, (old + 1) * this.#stride)
      const slot = this.#find(entry[0] as number, entry[1] as number, entry.subarray(3))
      this.#occupied[slot] = 1
      this.#slots.set(entry, slot * this.#stride)
    }
  }
}
