import type { Random } from '../random/random.js'
import { intendedStarts } from './schedule.js'
import { sleep } from '../time/sleep.js'
import type { Span } from './span.js'

/** Tells clients when to start their operations, until the time is over. */
export interface Pace {
  /** Operations a second in an open loop; null in a closed one. */
  readonly rate: number | null
  /** Waits for the next operation that is nobody's yet. Resolves to its intended start in ns, or null at the end. */
  next(): Promise<number | null>
  /** Intended starts that have passed and which nobody took. Asked once, at the end. */
  unstarted(): readonly number[]
}

/** Closed loop: an operation starts when a client is free. */
export function closedLoop(span: Span): Pace {
  return {
    rate: null,
    async next() {
      const now = span.clock.now()
      return now < span.endsAt && !span.signal.aborted ? now : null
    },
    unstarted: () => [],
  }
}

/** Open loop: operations start by a schedule of their own, shared by all clients. */
export function openLoop(span: Span, options: { readonly rate: number; readonly random: Random }): Pace {
  const { clock, startedAt } = span
  const starts = intendedStarts(options.rate, options.random)
  const following = () => startedAt + starts.next().value
  let upcoming = following()
  return {
    rate: options.rate,
    async next() {
      if (upcoming >= span.endsAt || clock.now() >= span.endsAt || span.signal.aborted) return null
      const intended = upcoming
      upcoming = following()
      await sleep((intended - clock.now()) / 1e6, span.over)
      // While it waited the span may have come to its end.
      return span.signal.aborted || intended >= span.endsAt ? null : intended
    },
    unstarted() {
      const until = Math.min(span.endsAt, clock.now())
      const missed: number[] = []
      for (; upcoming < until; upcoming = following()) missed.push(upcoming)
      return missed
    },
  }
}
