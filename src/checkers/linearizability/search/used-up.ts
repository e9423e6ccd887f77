import type { Memory } from './memory.js'

const firstWords = 1 << 6
const bytesPerWord = 4

/**
 * How many operations of each kind with unknown outcome a search has let take effect: multisets with small ids, each
 * kept once. Id 0 is the empty one. A multiset is its length and then kind, count, kind, count, … in order of kinds.
 */
export class UsedUp {
  readonly #memory: Memory
  #words = new Int32Array(firstWords)
  #end = 1
  #starts = new Int32Array(firstWords)
  #count = 1
  /** Ids by hash, 0 where free. */
  #table = new Int32Array(firstWords)
  #isFull = false

  constructor(memory: Memory) {
    this.#memory = memory
    this.#isFull = !memory.take(3 * firstWords * bytesPerWord)
  }

  /** True once a multiset could not be kept because its memory is not left. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** The multiset with one more of the kind, and without those kinds that no longer matter. Id 0 when it is full. */
  plus(id: number, kind: number, matters: (kind: number) => boolean): number {
    const start = this.#starts[id] as number
    const length = this.#words[start] as number
    if (!this.#reserve(length + 3)) return 0
    const words = this.#words
    let end = this.#end + 1
    let isIn = false
    for (let at = start + 1; at <= start + length; at += 2) {
      const other = words[at] as number
      if (other >= kind && !isIn) {
        words[end] = kind
        words[end + 1] = other === kind ? (words[at + 1] as number) + 1 : 1
        end += 2
        isIn = true
      }
      if (other === kind || !matters(other)) continue
      words[end] = other
      words[end + 1] = words[at + 1] as number
      end += 2
    }
    if (!isIn) {
      words[end] = kind
      words[end + 1] = 1
      end += 2
    }
    words[this.#end] = end - this.#end - 1
    return this.#keep(end)
  }

  /** True when `inner` is contained in `outer`. */
  readonly contains = (inner: number, outer: number): boolean => {
    if (inner === outer || inner === 0) return true
    const words = this.#words
    const small = this.#starts[inner] as number
    const large = this.#starts[outer] as number
    const smallEnd = small + (words[small] as number)
    const largeEnd = large + (words[large] as number)
    if (smallEnd - small > largeEnd - large) return false
    let at = large + 1
    for (let from = small + 1; from <= smallEnd; from += 2) {
      while (at <= largeEnd && (words[at] as number) < (words[from] as number)) at += 2
      if (at > largeEnd || words[at] !== words[from]) return false
      if ((words[at + 1] as number) < (words[from + 1] as number)) return false
    }
    return true
  }

  /** Keeps the multiset that was laid out after the last one, unless it is kept already. */
  #keep(end: number): number {
    const start = this.#end
    let place = this.#hash(start) & (this.#table.length - 1)
    for (; this.#table[place] !== 0; place = (place + 1) & (this.#table.length - 1)) {
      const id = this.#table[place] as number
      if (this.#same(this.#starts[id] as number, start)) return id
    }
    const id = this.#count
    this.#table[place] = id
    this.#starts[id] = start
    this.#count += 1
    this.#end = end
    return id
  }

  #same(a: number, b: number): boolean {
    const length = this.#words[a] as number
    for (let at = 0; at <= length; at += 1) if (this.#words[a + at] !== this.#words[b + at]) return false
    return true
  }

  #hash(start: number): number {
    let hash = 0
    const length = this.#words[start] as number
    for (let at = 0; at <= length; at += 1) {
      hash = Math.imul(hash ^ (this.#words[start + at] as number), 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return hash >>> 0
  }

  #reserve(words: number): boolean {
    while (this.#end + words > this.#words.length) {
      if (!this.#memory.take(this.#words.byteLength * 2)) return this.#giveUp()
      const old = this.#words
      this.#words = new Int32Array(old.length * 2)
      this.#words.set(old)
      this.#memory.giveBack(old.byteLength)
    }
    if (this.#count * 2 < this.#table.length) return true
    if (!this.#memory.take(this.#table.byteLength * 4)) return this.#giveUp()
    const oldStarts = this.#starts
    this.#starts = new Int32Array(oldStarts.length * 2)
    this.#starts.set(oldStarts)
    this.#table = new Int32Array(this.#starts.length)
    this.#memory.giveBack(oldStarts.byteLength * 2)
    const mask = this.#table.length - 1
    for (let id = 1; id < this.#count; id += 1) {
      let place = this.#hash(this.#starts[id] as number) & mask
      while (this.#table[place] !== 0) place = (place + 1) & mask
      this.#table[place] = id
    }
    return true
  }

  #giveUp(): false {
    this.#isFull = true
    return false
  }
}
