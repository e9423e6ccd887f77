import type { Outcome } from '../history/operation.js'
import type { Load } from '../session/record.js'
import { loadSlices, type StartedOperation } from './slices.js'

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
  readonly #started: StartedOperation[] = []

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  get invoked(): number {
    return this.#started.length
  }

  /** An operation that was meant to start at `intended` starts at `invoked`. */
  invoke(times: { readonly intended: number; readonly invoked: number }): StartedOperation {
    const operation = { ...times, outcome: null }
    this.#started.push(operation)
    return operation
  }

  /** The operation ended at `at`. */
  end(operation: StartedOperation, outcome: Outcome, at: number): void {
    operation.outcome = outcome
    this.#secondAt(at)[outcome] += 1
    this.totals[outcome] += 1
    if (outcome === 'ok') this.#latenciesMs.push((at - operation.intended) / 1e6)
  }

  /** One entry for each second from the start to `endedAt`, by the moment of the answer or of giving up. */
  throughput(endedAt: number): readonly Readonly<Second>[] {
    // The last seconds of a stalled system are part of the picture though nothing ended in them.
    if (endedAt > this.#startedAt) this.#secondAt(endedAt - 1)
    return this.#seconds
  }

  /** The record of the phase, which lasted from the start to `endedAt`. `unstarted`: intended and never begun. */
  load(options: {
    readonly endedAt: number
    readonly intendedRate: number | null
    readonly unstarted: readonly number[]
  }): Load {
    const { endedAt, intendedRate, unstarted } = options
    const seconds = (endedAt - this.#startedAt) / 1e9
    const open = intendedRate !== null
    return {
      loop: open ? 'open' : 'closed',
      intendedRate,
      invoked: this.invoked,
      ...this.totals,
      rate: seconds > 0 ? this.invoked / seconds : 0,
      slices: loadSlices(this.#started, { startedAt: this.#startedAt, endedAt, open, unstarted }),
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
