import type { Operation } from '../../history/operation.js'
import type { ValueKey } from '../queues/value-key.js'

/** Who said what is at an offset; `by` is null for what was there at first. */
export interface Claim {
  readonly value: ValueKey
  readonly by: Operation | null
}

/** What is at which offset of one log. */
export class OffsetClaims {
  readonly #claims = new Map<number, Claim>()
  readonly #contested = new Set<number>()

  /** Notes a claim. Answers with the first one of the offset when that says otherwise, once an offset. */
  add(offset: number, claim: Claim): Claim | null {
    const first = this.#claims.get(offset)
    if (first === undefined) {
      this.#claims.set(offset, claim)
      return null
    }
    if (first.value === claim.value || this.#contested.has(offset)) return null
    this.#contested.add(offset)
    return first
  }

  get(offset: number): Claim | undefined {
    return this.#claims.get(offset)
  }

  offsets(): Iterable<number> {
    return this.#claims.keys()
  }

  get size(): number {
    return this.#claims.size
  }
}
