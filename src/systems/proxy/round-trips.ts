const keptMax = 64

/** The last round trips on a route, from the first byte of a request to the first byte of its answer. */
export class RoundTrips {
  readonly #kept: number[] = []
  #count = 0

  /** How many there have been in all. */
  get count(): number {
    return this.#count
  }

  add(ms: number): void {
    this.#kept[this.#count % keptMax] = ms
    this.#count += 1
  }

  /** Median in milliseconds of those that came after the first `mark`, as far as they are kept. Null without any. */
  median(mark = 0): number | null {
    const wanted = Math.min(this.#count - mark, keptMax)
    if (wanted <= 0) return null
    const newest = Array.from(
      { length: wanted },
      (_, age) => this.#kept[(this.#count - 1 - age) % keptMax] ?? 0,
    )
    newest.sort((a, b) => a - b)
    return newest[Math.floor(newest.length / 2)] ?? null
  }
}
