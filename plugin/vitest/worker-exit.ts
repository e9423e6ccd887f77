/**
 * Ends running scenarios when the main process of Vitest has gone: a forked worker of Vitest 4 would live on.
 * Faults are healed by the scenarios themselves, or by the watchdog if that takes too long.
 */
export class WorkerExit {
  readonly #running = new Map<AbortController, Promise<unknown>>()
  #watching = false

  /** Keeps `controller` to abort, and `done` to wait for, until `done` settles. */
  track(controller: AbortController, done: Promise<unknown>): void {
    this.#watch()
    this.#running.set(controller, done)
    const forget = () => void this.#running.delete(controller)
    done.then(forget, forget)
  }

  #watch(): void {
    if (this.#watching) return
    this.#watching = true
    process.once('disconnect', () => void this.#end())
  }

  async #end(): Promise<void> {
    if (this.#running.size === 0) return
    for (const controller of this.#running.keys()) {
      controller.abort(new Error('the main process of Vitest has gone away'))
    }
    await Promise.race([
      Promise.allSettled(this.#running.values()),
      new Promise((resolve) => setTimeout(resolve, healWithinMs)),
    ])
    process.exit(1)
  }
}

/** On a busy machine healing step by step may take long; the guardian takes everything away at once. */
const healWithinMs = 1_500
