import { sleep } from '../time/sleep.js'

/** When a step may begin. */
export interface Turn {
  /** What must have come before, such as `o1 ended` or `F1 placed`. */
  readonly after: readonly string[]
  /** Milliseconds from the last of it. */
  readonly waitMs: number
}

/** Moments of a script that have come, and who waits for them. */
export class Marks {
  readonly #reached = new Set<string>()
  readonly #waiting = new Set<() => void>()

  /** The moment has come; again is no more. */
  reach(mark: string): void {
    this.#reached.add(mark)
    for (const look of this.#waiting) look()
  }

  /** Waits for the turn of a step. Resolves to false when the signal aborts before it. */
  async until({ after, waitMs }: Turn, signal: AbortSignal): Promise<boolean> {
    await this.#all(after, signal)
    if (waitMs > 0) await sleep(waitMs, signal)
    return !signal.aborted
  }

  #all(marks: readonly string[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!signal.aborted && !marks.every((mark) => this.#reached.has(mark))) return
        this.#waiting.delete(look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      this.#waiting.add(look)
      signal.addEventListener('abort', look)
      look()
    })
  }
}
