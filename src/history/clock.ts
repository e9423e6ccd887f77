/** One monotonic clock for everything in a run. */
export interface Clock {
  /** Integer nanoseconds since the run's start. */
  now(): number
  /** Wall time of the run's start, ISO 8601 in UTC; for people, never compared with `now()`. */
  readonly startedAt: string
}

/** Starts a clock at zero. */
export function startClock(): Clock {
  const origin = process.hrtime.bigint()
  return {
    now: () => Number(process.hrtime.bigint() - origin),
    startedAt: new Date().toISOString(),
  }
}
