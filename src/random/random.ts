import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'

/**
 * A seeded source of choices (xoroshiro128+). The same seed and the same calls give the same choices, on every machine.
 *
 * `fork` gives a stream of its own to every part of a run. A stream depends on the seed and the labels that lead to it,
 * not on how much has been drawn elsewhere, so a change in one part leaves the choices of the others alone.
 */
export class Random {
  readonly seed: number
  readonly #path: readonly string[]
  readonly #generator: RandomGenerator

  /** Throws RangeError unless the seed is a safe integer. */
  constructor(seed: number, path: readonly string[] = []) {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`the seed ${seed} is not a safe integer`)
    this.seed = seed
    this.#path = path
    const hash = digest(JSON.stringify([seed, ...path]))
    this.#generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => hash.readInt32LE(offset)))
  }

  /** An independent stream, named within this one. */
  fork(label: string): Random {
    return new Random(this.seed, [...this.#path, label])
  }

  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return uniformInt(this.#generator, min, max)
  }

  /** From 0 (included) to 1 (excluded). */
  float(): number {
    return uniformFloat64(this.#generator)
  }

  /** One of the items. Throws RangeError when there is none. */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('nothing to pick from')
    return items[this.int(0, items.length - 1)] as Item
  }

  /** The items in random order (Fisher-Yates); leaves the given array as it is. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.int(0, last)
      const item = shuffled[last] as Item
      shuffled[last] = shuffled[other] as Item
      shuffled[other] = item
    }
    return shuffled
  }

  /** A copy of the generator behind this stream, for libraries that draw from one themselves. */
  generator(): RandomGenerator {
    return this.#generator.clone()
  }
}

/** A seed (0 to 2^32 - 1) that depends on the text alone. */
export function seedFrom(text: string): number {
  return digest(text).readUInt32LE(0)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
