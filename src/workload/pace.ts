import type { Clock } from '../history/clock.js'
import type { Random } from '../random/random.js'
import { intendedStarts } from './schedule.js'
import { sleep } from '../time/sleep.js'

/** Tells clients when to start their operations, until the time is over. */
export interface Pace {
  /** Operations a second in an open loop; null in a closed one. */
  readonly rate: number | null
  /** Waits for the next operation that is nobody's yet. Resolves to its intended start in ns, or null at the end. */
  next(): Promise<number | null>
  /** Operations whose intended start has passed and which nobody took. */
  unstarted(): number
}

/** The span of a workload on the run's clock, in nanoseconds; the signal ends it early. */
export interface Span {
  readonly clock: Clock
  readonly startedAt: number
  readonly endsAt: number
  readonly signal: AbortSignal
}

/** Closed loop: an operation starts when a client is free. */
export function closedLoop({ clock, endsAt, signal }: Span): Pace {
  return {
    rate: null,
    async next() {
      const now = clock.now()
      return now < endsAt && !signal.aborted ? now : null
    },
    unstarted: () => 0,
  }
}

/** Open loop: operations start by a schedule of their own, shared by all clients. */
export function openLoop(span: Span, options: { readonly rate: number; readonly random: Random }): Pace {
  const { clock, startedAt, endsAt, signal } = span
  const starts = intendedStarts(options.rate, options.random)
  const following = () => startedAt + starts.next().value
  let upcoming = following()
  return {
    rate: options.rate,
    async next() {
      if (upcoming >= endsAt || clock.now() >= endsAt || signal.aborted) return null
      const intended = upcoming
      upcoming = following()
      await sleep((intended - clock.now()) / 1e6, signal)
      return signal.aborted ? null : intended
    },
    unstarted() {
      const until = Math.min(endsAt, clock.now())
      let missed = 0
      for (; upcoming < until; upcoming = following()) missed += 1
      return missed
    },
  }
}
