import type { Clock } from '../history/clock.js'

export interface SpanOptions {
  readonly clock: Clock
  readonly durationMs: number
  /** While it is pending the span goes on beyond its duration. */
  readonly goOn?: Promise<unknown>
  /** Ends the span early. */
  readonly signal: AbortSignal
}

/** The time in which a workload starts operations, on the run's clock in nanoseconds. It starts when it is made. */
export class Span {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly startedAt: number
  /** Aborts when no operation is to start any more, or when the signal does. */
  readonly over: AbortSignal
  readonly #declaredEnd: number
  #endsAt: number

  constructor({ clock, durationMs, goOn, signal }: SpanOptions) {
    const released = new AbortController()
    this.clock = clock
    this.signal = signal
    this.over = AbortSignal.any([signal, released.signal])
    this.startedAt = clock.now()
    this.#declaredEnd = this.startedAt + durationMs * 1e6
    this.#endsAt = goOn === undefined ? this.#declaredEnd : Infinity
    const release = () => {
      this.#endsAt = Math.max(this.#declaredEnd, clock.now())
      if (this.#endsAt > this.#declaredEnd) released.abort()
    }
    // What it waits for reports its own errors; the span is over either way.
    goOn?.then(release, release)
  }

  /** Infinity while it is not known. */
  get endsAt(): number {
    return this.#endsAt
  }

  /** Milliseconds until the end; what was waited for may still move it. */
  get leftMs(): number {
    return (this.#endsAt - this.clock.now()) / 1e6
  }
}
