import type { Operation } from '../../history/operation.js'

/** Sums of fractions are equal when they differ by less than this part of them. */
const rounding = 1e-9

/** What all accounts held together at the start, as far as it is known: somewhere from `least` to `most`. */
export class Base {
  least = -Infinity
  most = Infinity
  /** The reads by which it is known; empty when it was declared. */
  readonly knownBy: Operation[] = []

  constructor(declared: number | null) {
    if (declared !== null) this.least = this.most = declared
  }

  /**
   * Takes an observation by which the accounts held so much at the start. Returns false when that contradicts what is
   * known, and then forgets it.
   */
  admits({ least, most }: { least: number; most: number }, by: Operation): boolean {
    if (exceeds(least, this.most) || exceeds(this.least, most)) return false
    if (least > this.least || most < this.most) {
      this.least = Math.max(least, this.least)
      this.most = Math.max(this.least, Math.min(most, this.most))
      // The first one and the last one that narrowed it tell enough.
      this.knownBy.splice(1, 1, by)
    }
    return true
  }
}

function exceeds(one: number, other: number): boolean {
  if (Number.isInteger(one) && Number.isInteger(other)) return one > other
  return one - other > rounding * Math.max(1, Math.abs(one), Math.abs(other))
}
