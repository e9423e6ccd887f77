import type { Memory } from './memory.js'

const shardBits = 5
const shards = 1 << shardBits
const firstCapacity = 8
const bytesPerWord = 4
const fields = 4
/** A shard of fewer bytes grows before it forgets. */
const bytesBeforeForgetting = 1 << 20

/** Whether a configuration that was met before can do all that another one can. */
type Dominates = (usedBefore: number, used: number) => boolean

/** Which configurations are worth their memory. */
export interface Worth {
  /** Those of earlier horizons cannot be met again. */
  readonly settled: number
  /** Those of earlier horizons can be met only after a way back to an earlier stretch of operations in flight. */
  readonly stretch: number
}

/**
 * The configurations that a search has been in. Exact: nothing is decided by a hash alone.
 *
 * A configuration is the first return that is not linearized yet, the state, and the bits of the linearized ones among
 * the operations open at that return. Two of the same differ in when the state was last overwritten (later leaves more
 * freedom) and in the operations of unknown outcome that were used up (fewer leave more freedom); each such variant
 * that no other one dominates has an entry.
 *
 * A long history is cut where nothing is in flight: of earlier stretches only the states possible at their ends are
 * kept when memory gets scarce, which is where ways through them meet. Whatever is forgotten costs time and no verdict.
 *
 * Open addressing in shards that grow one by one, so that growth never needs much more than what there is already.
 */
export class Configurations {
  readonly #words: number
  readonly #stride: number
  readonly #memory: Memory
  readonly #dominates: Dominates
  readonly #worth: () => Worth
  /** Horizon + 1 (0 where free), state, time of the last overwrite, used up, then the bits. */
  readonly #tables: Int32Array[] = []
  readonly #sizes = new Int32Array(shards)
  #isFull = false

  constructor(
    words: number,
    { memory, dominates, worth }: { memory: Memory; dominates: Dominates; worth: () => Worth },
  ) {
    this.#words = words
    this.#stride = fields + words
    this.#memory = memory
    this.#dominates = dominates
    this.#worth = worth
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
    if (this.#isCrowded(shard)) {
      if (!this.#makeRoom(shard)) return true
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
    this.#sizes[shard] = (this.#sizes[shard] as number) + 1
    return true
  }

  #isCrowded(shard: number): boolean {
    const length = (this.#tables[shard] as Int32Array).length
    return ((this.#sizes[shard] as number) + 1) * 4 * this.#stride > length * 3
  }

  #sameBits(table: Int32Array, place: number, open: Int32Array): boolean {
    for (let word = 0; word < this.#words; word += 1) {
      if (table[place + fields + word] !== open[word]) return false
    }
    return true
  }

  #hashAt(table: Int32Array, place: number): number {
    return this.#hash((table[place] as number) - 1, table[place + 1] as number, table, place + fields)
  }

  #hash(horizon: number, state: number, bits: Int32Array, from: number): number {
    let hash = Math.imul(horizon, 0x9e3779b1) ^ Math.imul(state + 1, 0x85ebca6b)
    for (let word = 0; word < this.#words; word += 1) {
      hash = Math.imul(hash ^ (hash >>> 15) ^ (bits[from + word] as number), 0x2c1b3c6d)
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  }

  /** Forgets what is not worth its memory; grows where that is not enough. False when the memory is not left. */
  #makeRoom(shard: number): boolean {
    const { byteLength, length } = this.#tables[shard] as Int32Array
    const worth = this.#worth()
    if (byteLength >= bytesBeforeForgetting || worth.settled > 0) this.#forget(shard, worth)
    const isHalfFull = (this.#sizes[shard] as number) * 2 * this.#stride > length
    if (!isHalfFull || this.#grow(shard)) return true
    this.#forget(shard, worth)
    this.#isFull = this.#isCrowded(shard)
    return !this.#isFull
  }

  #forget(shard: number, { settled, stretch }: Worth): void {
    const table = this.#tables[shard] as Int32Array
    for (let place = 0; place < table.length;) {
      const horizon = (table[place] as number) - 1
      const isFree = horizon < 0
      const isKept = horizon >= stretch || (horizon >= settled && !this.#hasBits(table, place))
      // What is taken out may be replaced by another one, to be looked at too.
      if (isFree || isKept) place += this.#stride
      else {
        this.#takeOut(table, place)
        this.#sizes[shard] = (this.#sizes[shard] as number) - 1
      }
    }
  }

  /** Frees a place, and moves the entries that would no longer be found because of that. */
  #takeOut(table: Int32Array, place: number): void {
    const stride = this.#stride
    const mask = table.length / stride - 1
    let hole = place
    for (let at = (hole + stride) % table.length; table[at] !== 0; at = (at + stride) % table.length) {
      const home = (this.#hashAt(table, at) & mask) * stride
      const isFoundAnyway = hole < at ? hole < home && home <= at : hole < home || home <= at
      if (isFoundAnyway) continue
      table.copyWithin(hole, at, at + stride)
      hole = at
    }
    table[hole] = 0
  }

  #hasBits(table: Int32Array, place: number): boolean {
    for (let word = 0; word < this.#words; word += 1) if (table[place + fields + word] !== 0) return true
    return false
  }

  #grow(shard: number): boolean {
    const old = this.#tables[shard] as Int32Array
    if (!this.#memory.take(old.byteLength * 2)) return false
    const stride = this.#stride
    const table = new Int32Array(old.length * 2)
    const mask = table.length / stride - 1
    for (let from = 0; from < old.length; from += stride) {
      if (old[from] === 0) continue
      let place = (this.#hashAt(old, from) & mask) * stride
      while (table[place] !== 0) place = (place + stride) % table.length
      for (let field = 0; field < stride; field += 1) table[place + field] = old[from + field] as number
    }
    this.#tables[shard] = table
    // The first piece stays as long as any shard is in it.
    if (old.byteLength === old.buffer.byteLength) this.#memory.giveBack(old.byteLength)
    return true
  }
}
