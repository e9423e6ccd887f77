const keptMax = 64

/** The last of a series of measured times, in milliseconds. */
export class RecentTimes {
  readonly #kept: number[] = []
  #count = 0

  /** How many have been measured in all. */
  get count(): number {
    return this.#count
  }

  add(ms: number): void {
    this.#kept[this.#count % keptMax] = ms
    this.#count += 1
  }

  /** Median of those that came after the first `mark`, as far as they are kept. Null without any. */
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
