/** Releases of one process by when they have taken effect at the latest; never for those of unknown outcome. */
export class Releases {
  /** Those of unknown outcome are only counted: there may be many. */
  #unknown = 0
  #ends: number[] = []

  add(end: number): void {
    if (end === Infinity) this.#unknown += 1
    else this.#ends.push(end)
  }

  /** Takes out the one with the earliest end of those that can take effect at `from` or later, and returns its end. */
  takeFrom(from: number): number | null {
    const earliest = this.#ends.reduce((least, end) => (end >= from ? Math.min(least, end) : least), Infinity)
    return this.#take(earliest)
  }

  /** Puts one in and takes out the one with the latest end, which may be the same; returns that end. */
  exchange(end: number): number {
    this.add(end)
    const latest = this.#unknown > 0 ? Infinity : this.#ends.reduce((most, one) => Math.max(most, one))
    return this.#take(latest) ?? end
  }

  /** Forgets those that have been answered. */
  forgetAnswered(): void {
    if (this.#ends.length > 0) this.#ends = []
  }

  /** Gives all of them to the others. */
  moveTo(others: Releases): void {
    others.#unknown += this.#unknown
    others.#ends.push(...this.#ends)
    this.#unknown = 0
    this.#ends = []
  }

  #take(end: number): number | null {
    if (end === Infinity) {
      if (this.#unknown === 0) return null
      this.#unknown -= 1
    } else this.#ends.splice(this.#ends.indexOf(end), 1)
    return end
  }
}
