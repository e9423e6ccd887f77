import type { Memory } from './memory.js'
import type { Position } from './position.js'

const framesPerChunk = 1 << 7
const fields = 7

/** The configurations from the start to where a search stands, and how far each one's moves have been tried. */
export class Frames {
  readonly #memory: Memory
  readonly #stride: number
  readonly #words: number
  /** Trail length, state, horizon, time of the last overwrite, used up, phase, cursor, then the bits. */
  readonly #chunks: Int32Array[] = []
  #depth = 0
  #isFull = false

  constructor(words: number, memory: Memory) {
    this.#memory = memory
    this.#words = words
    this.#stride = fields + words
  }

  get depth(): number {
    return this.#depth
  }

  get isFull(): boolean {
    return this.#isFull
  }

  get phase(): number {
    return this.#chunk[this.#base + 5] as number
  }

  set phase(phase: number) {
    this.#chunk[this.#base + 5] = phase
  }

  get cursor(): number {
    return this.#chunk[this.#base + 6] as number
  }

  set cursor(cursor: number) {
    this.#chunk[this.#base + 6] = cursor
  }

  /** Keeps a position as the last frame. */
  push(position: Position): void {
    if (this.#depth === this.#chunks.length * framesPerChunk) {
      const words = framesPerChunk * this.#stride
      if (!this.#memory.take(words * 4)) {
        this.#isFull = true
        return
      }
      this.#chunks.push(new Int32Array(words))
    }
    this.#depth += 1
    const chunk = this.#chunk
    const base = this.#base
    chunk[base] = position.trailLength
    chunk[base + 1] = position.state
    chunk[base + 2] = position.horizon
    chunk[base + 3] = position.overwrittenAt
    chunk[base + 4] = position.used
    chunk[base + 5] = 0
    chunk[base + 6] = 0
    for (let word = 0; word < this.#words; word += 1)
      chunk[base + fields + word] = position.open[word] as number
  }

  pop(): void {
    this.#depth -= 1
  }

  /** Forgets all frames: there is no way back behind where the search stands. */
  clear(): void {
    this.#depth = 0
  }

  /** Puts the position back to the last frame. */
  restore(position: Position): void {
    const chunk = this.#chunk
    const base = this.#base
    position.takeBackTo(chunk[base] as number)
    position.state = chunk[base + 1] as number
    position.horizon = chunk[base + 2] as number
    position.overwrittenAt = chunk[base + 3] as number
    position.used = chunk[base + 4] as number
    for (let word = 0; word < this.#words; word += 1)
      position.open[word] = chunk[base + fields + word] as number
  }

  get #chunk(): Int32Array {
    return this.#chunks[Math.floor((this.#depth - 1) / framesPerChunk)] as Int32Array
  }

  get #base(): number {
    return ((this.#depth - 1) % framesPerChunk) * this.#stride
  }
}
