/** Node's timers know no longer time: a longer one would be over at once. */
const longestMs = 2 ** 31 - 1

/** The limit that Vitest is given for a test that may take `limitMs`, and then `graceMs` to put things in order. 0 is none. */
export function vitestLimitMs(limitMs: number, graceMs: number): number {
  return limitMs === 0 ? 0 : Math.min(limitMs + graceMs, longestMs)
}

/** Calls back when the time is over, unless it is lifted before. 0 never ends, nor does what is longer than 24 days. */
export function startTimeLimit(limitMs: number, onOver: () => void): { lift(): void } {
  if (limitMs === 0 || limitMs > longestMs) return { lift: () => undefined }
  const timer = setTimeout(onOver, limitMs)
  return { lift: () => clearTimeout(timer) }
}
