import type { Outcome } from '../history/operation.js'
import type { Load } from '../session/record.js'

/** How the operations ended that ended within one second of the workload. */
export interface Second {
  ok: number
  failed: number
  unknown: number
}

/** Measures the load of one workload phase. Times are nanoseconds of the run's clock. */
export class LoadMeter {
  readonly totals: Second = { ok: 0, failed: 0, unknown: 0 }
  readonly #seconds: Second[] = []
  readonly #startedAt: number
  readonly #latenciesMs: number[] = []
  #invoked = 0

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  get invoked(): number {
    return this.#invoked
  }

  invoke(): void {
    this.#invoked += 1
  }

  /** An operation that was meant to start at `intended` ended at `at`. */
  end(outcome: Outcome, times: { readonly intended: number; readonly at: number }): void {
    this.#secondAt(times.at)[outcome] += 1
    this.totals[outcome] += 1
    if (outcome === 'ok') this.#latenciesMs.push((times.at - times.intended) / 1e6)
  }

  /** One entry for each second from the start to `endedAt`, by the moment of the answer or of giving up. */
  throughput(endedAt: number): readonly Readonly<Second>[] {
    // The last seconds of a stalled system are part of the picture though nothing ended in them.
    if (endedAt > this.#startedAt) this.#secondAt(endedAt - 1)
    return this.#seconds
  }

  /** The record of the phase, which lasted from the start to `endedAt`. */
  load(options: { readonly endedAt: number; readonly intendedRate: number | null }): Load {
    const seconds = (options.endedAt - this.#startedAt) / 1e9
    return {
      loop: options.intendedRate === null ? 'closed' : 'open',
      intendedRate: options.intendedRate,
      invoked: this.#invoked,
      ...this.totals,
      rate: seconds > 0 ? this.#invoked / seconds : 0,
      slices: [],
      latency: quantiles(this.#latenciesMs),
    }
  }

  #secondAt(at: number): Second {
    const second = Math.max(0, Math.floor((at - this.#startedAt) / 1e9))
    while (this.#seconds.length <= second) this.#seconds.push({ ok: 0, failed: 0, unknown: 0 })
    return this.#seconds[second]!
  }
}

/** Nearest-rank percentiles, exact: the smallest value that at least that share of the values do not exceed. */
function quantiles(values: readonly number[]): Load['latency'] {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}
