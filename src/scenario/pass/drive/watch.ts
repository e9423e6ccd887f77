import type { HistoryWatch } from '../../../checkers/checker.js'
import type { Recorder } from '../../../history/recorder.js'
import type { ScenarioSpec } from '../../spec.js'

/** How long a run goes on after a violation, so that the landing of a fault that led to it can still be proven. */
const goOnMs = 2_000

/** Lets the checkers that can watch the history while it is recorded, and ends the run after a violation. */
export class RunningOracle {
  readonly #watches: readonly HistoryWatch[]
  readonly #enough = new AbortController()
  #timer: NodeJS.Timeout | null = null

  constructor({ checkers, model }: Pick<ScenarioSpec, 'checkers' | 'model'>, recorder: Recorder) {
    this.#watches = checkers.flatMap((checker) => checker.watch?.(model ?? null) ?? [])
    if (this.#watches.length === 0) return
    recorder.observer = {
      invoked: (operation) => {
        for (const watch of this.#watches) watch.invoked(operation)
      },
      completed: (operation) => {
        for (const watch of this.#watches) watch.completed(operation)
        if (this.violation !== null) this.#timer ??= setTimeout(() => this.#enough.abort(), goOnMs)
      },
    }
  }

  /** The operations that show the first violation; null while there is none. */
  get violation(): HistoryWatch['violation'] {
    return this.#watches.find(({ violation }) => violation !== null)?.violation ?? null
  }

  /** Aborts when the run need not go on. */
  get enough(): AbortSignal {
    return this.#enough.signal
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
