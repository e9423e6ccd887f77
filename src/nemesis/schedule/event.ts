import { messageOf } from '../../errors.js'
import { sleep } from '../../time/sleep.js'

const askEveryMs = 50

/** Asks until an event has come. An error counts as "not yet": during an election a system may well refuse to say. */
export class AwaitedEvent {
  readonly #came = new AbortController()
  readonly #stop = new AbortController()
  #lastError: string | null = null

  constructor(ask: () => Promise<boolean> | boolean, signal: AbortSignal) {
    void this.#watch(ask, AbortSignal.any([signal, this.#stop.signal]))
  }

  /** Aborts when the event has come. */
  get came(): AbortSignal {
    return this.#came.signal
  }

  /** Asks no more. Returns why it may not have come: the error of the last question; null when it came or was answered. */
  stop(): string | null {
    this.#stop.abort()
    return this.came.aborted ? null : this.#lastError
  }

  async #watch(ask: () => Promise<boolean> | boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const came = await ask()
        this.#lastError = null
        if (came) return this.#came.abort()
      } catch (error) {
        this.#lastError = messageOf(error)
      }
      await sleep(askEveryMs, signal)
    }
  }
}
