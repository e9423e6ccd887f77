import type { Memory } from './memory.js'

const shardBits = 5
const shards = 1 << shardBits
const firstCapacity = 8
const bytesPerWord = 4
const fields = 4

/** Whether a configuration that was met before can do all that another one can. */
type Dominates = (usedBefore: number, used: number) => boolean

/**
 * The configurations that a search has been in. Exact: nothing is decided by a hash alone.
 *
 * A configuration is the first return that is not linearized yet, the state, and the bits of the linearized ones among
 * the operations open at that return. Two of the same differ in when the state was last overwritten (later leaves more
 * freedom) and in the operations of unknown outcome that were used up (fewer leave more freedom); each such variant
 * that no other one dominates has an entry.
 *
 * Open addressing in shards that grow one by one, so that growth never needs much more than what there is already.
 */
export class Configurations {
  readonly #words: number
  readonly #stride: number
  readonly #memory: Memory
  readonly #dominates: Dominates
  /** Horizon + 1 (0 where free), state, time of the last overwrite, used up, then the bits. */
  readonly #tables: Int32Array[] = []
  readonly #sizes = new Int32Array(shards)
  #isFull = false

  constructor(words: number, { memory, dominates }: { memory: Memory; dominates: Dominates }) {
    this.#words = words
    this.#stride = fields + words
    this.#memory = memory
    this.#dominates = dominates
    const bytes = firstCapacity * this.#stride * bytesPerWord
    this.#isFull = !memory.take(bytes * shards)
    if (this.#isFull) return
    // One piece of memory for all of them at first: making 32 costs more than a small search.
    const length = firstCapacity * this.#stride
    const first = new Int32Array(length * shards)
    for (let shard = 0; shard < shards; shard += 1) {
      this.#tables.push(first.subarray(shard * length, (shard + 1) * length))
    }
  }

  /** True once a configuration could not be entered because its memory is not left. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Enters a configuration; false when one that dominates it is there already. */
  add(horizon: number, state: number, open: Int32Array, overwrittenAt: number, used: number): boolean {
    const hash = this.#hash(horizon, state, open, 0)
    const shard = hash >>> (32 - shardBits)
    let table = this.#tables[shard] as Int32Array
    const size = this.#sizes[shard] as number
    if ((size + 1) * 4 * this.#stride > table.length * 3) {
      if (!this.#grow(shard)) return true
      table = this.#tables[shard] as Int32Array
    }
    const stride = this.#stride
    const mask = table.length / stride - 1
    let place = (hash & mask) * stride
    for (; table[place] !== 0; place = (place + stride) % table.length) {
      if (table[place] !== horizon + 1 || table[place + 1] !== state) continue
      if (!this.#sameBits(table, place, open)) continue
      const overwrittenBefore = table[place + 2] as number
      const usedBefore = table[place + 3] as number
      if (overwrittenBefore >= overwrittenAt && this.#dominates(usedBefore, used)) return false
      if (overwrittenAt >= overwrittenBefore && this.#dominates(used, usedBefore)) {
        table[place + 2] = overwrittenAt
        table[place + 3] = used
        return true
      }
    }
    table[place] = horizon + 1
    table[place + 1] = state
    table[place + 2] = overwrittenAt
    table[place + 3] = used
    for (let word = 0; word < this.#words; word += 1) table[place + fields + word] = open[word] as number
    this.#sizes[shard] = size + 1
    return true
  }

  #sameBits(table: Int32Array, place: number, open: Int32Array): boolean {
    for (let word = 0; word < this.#words; word += 1) {
      if (table[place + fields + word] !== open[word]) return false
    }
    return true
  }

  #hash(horizon: number, state: number, bits: Int32Array, from: number): number {
    let hash = Math.imul(horizon, 0x9e3779b1) ^ Math.imul(state + 1, 0x85ebca6b)
    for (let word = 0; word < this.#words; word += 1) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ (bits[from + word] as number), 0x2c1b3c6d)
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  }

  #grow(shard: number): boolean {
    const old = this.#tables[shard] as Int32Array
    if (!this.#memory.take(old.byteLength * 2)) {
      this.#isFull = true
      return false
    }
    const stride = this.#stride
    const table = new Int32Array(old.length * 2)
    const mask = table.length / stride - 1
    for (let from = 0; from < old.length; from += stride) {
      if (old[from] === 0) continue
      const hash = this.#hash((old[from] as number) - 1, old[from + 1] as number, old, from + fields)
      let place = (hash & mask) * stride
      while (table[place] !== 0) place = (place + stride) % table.length
      for (let field = 0; field < stride; field += 1) table[place + field] = old[from + field] as number
    }
    this.#tables[shard] = table
    // The first piece stays as long as any shard is in it.
    if (old.byteLength === old.buffer.byteLength) this.#memory.giveBack(old.byteLength)
    return true
  }
}
