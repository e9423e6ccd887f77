import type { Progress } from '../../src/scenario/runs/progress.js'
import { progressLine } from './lines.js'

/** How often a running scenario says that it is alive. */
const everyMs = 10_000

/**
 * Prints how running scenarios are getting on: a line each ten seconds, and one for each run that has ended.
 *
 * Whole lines, on a terminal too: Vitest redraws a window of its own at the bottom, with which a line that rewrites
 * itself would fight.
 */
export class ProgressLines {
  readonly #print: (line: string) => void
  readonly #now: () => number
  #last: number

  constructor(print: (line: string) => void, now: () => number = () => performance.now()) {
    this.#print = print
    this.#now = now
    this.#last = now()
  }

  report(progress: Progress): void {
    if (progress.outcome === null && this.#now() - this.#last < everyMs) return
    this.#last = this.#now()
    this.#print(progressLine(progress))
  }

  /** Something else has been printed: the next line can wait. */
  rest(): void {
    this.#last = this.#now()
  }
}
