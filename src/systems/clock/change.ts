/** How a clock is to go: `base + (now - base) * numerator / denominator + offset`, each clock from its own base. */
export interface ClockChange {
  /** Added to the wall clock, in nanoseconds. */
  readonly offset: bigint
  readonly numerator: number
  readonly denominator: number
}

/** Where the clocks of a machine stand, in nanoseconds: wall time since the epoch, time since boot without and with sleep. */
export interface Bases {
  readonly realtime: bigint
  readonly monotonic: bigint
  readonly boottime: bigint
}

const perMillion = 1_000_000

/** A wall clock that is ahead by so many milliseconds, or behind. */
export function skewedBy(offsetMs: number): ClockChange {
  return { offset: BigInt(Math.round(offsetMs * 1e6)), numerator: 1, denominator: 1 }
}

/** Clocks that run this many times as fast, with six digits after the point. */
export function runningAt(factor: number): ClockChange {
  return { offset: 0n, numerator: Math.round(factor * perMillion), denominator: perMillion }
}
