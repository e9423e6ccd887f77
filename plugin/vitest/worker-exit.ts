/**
 * Ends this process when the main process of Vitest has gone while a scenario runs: a forked worker of Vitest 4 would
 * live on. What it leaves in place is the guardian's to take back, all at once, rather than the scenario's step by step.
 */
export class WorkerExit {
  #running = 0
  #watching = false

  /** Counts a scenario as running until `done` settles. */
  track(done: Promise<unknown>): void {
    this.#watch()
    this.#running += 1
    const forget = () => void (this.#running -= 1)
    done.then(forget, forget)
  }

  #watch(): void {
    if (this.#watching) return
    this.#watching = true
    process.once('disconnect', () => {
      if (this.#running > 0) process.exit(1)
    })
  }
}
