import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'

const directLimit = 2 ** 22
const firstCapacity = 64

/**
 * Ids of values, dense in each part: `startPart` begins again at 0 without clearing what earlier parts left, because
 * an id is kept as a number that only grows, and one from before the part began counts as absent.
 */
export class PartValueIds {
  /** Of small whole numbers, which need no hashing: the most frequent values by far. */
  #direct = new Int32Array(firstCapacity).fill(-1)
  readonly #others = new Map<string | number | boolean | null, number>()
  readonly #structured = new Map<string, number>()
  #first = 0
  #next = 0

  readonly #isNew: ((value: Json) => void) | undefined

  /** `isNew` is told every value that gets an id, in order of ids. */
  constructor(isNew?: (value: Json) => void) {
    this.#isNew = isNew
  }

  /** Ids given in this part. */
  get count(): number {
    return this.#next - this.#first
  }

  startPart(): void {
    this.#first = this.#next
  }

  of(value: Json): number {
    if (typeof value === 'number' && value >= 0 && value < directLimit && Number.isInteger(value)) {
      return this.#ofDirect(value)
    }
    if (typeof value === 'object' && value !== null) {
      return this.#ofKey(this.#structured, canonical(value), value)
    }
    return this.#ofKey(this.#others, value, value)
  }

  #ofDirect(value: number): number {
    if (value >= this.#direct.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(value + 1))).fill(-1)
      grown.set(this.#direct)
      this.#direct = grown
    }
    const known = this.#direct[value] as number
    if (known >= this.#first) return known - this.#first
    this.#direct[value] = this.#next
    return this.#give(value)
  }

  #ofKey<Key>(ids: Map<Key, number>, key: Key, value: Json): number {
    const known = ids.get(key)
    if (known !== undefined && known >= this.#first) return known - this.#first
    ids.set(key, this.#next)
    return this.#give(value)
  }

  #give(value: Json): number {
    this.#isNew?.(value)
    this.#next += 1
    return this.#next - 1 - this.#first
  }
}
