import { outcomeOf, type Operation } from '../../history/operation.js'

/** Milliseconds from invocation to answer; Infinity when no answer came, which no objective may overlook. */
export function latencyMs(operation: Operation): number {
  if (outcomeOf(operation) === 'unknown') return Infinity
  return ((operation.complete_ts as number) - operation.invoke_ts) / 1e6
}

/** The latencies in ascending order, as a percentile takes them. */
export function sortedLatencies(operations: readonly Operation[]): Float64Array {
  return Float64Array.from(operations, latencyMs).sort()
}

/** Nearest rank: the smallest value that at least that percentage of the sorted values do not exceed; NaN without any. */
export function percentileOf(sorted: Float64Array, percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? NaN
}

/** `1,400 ms`, or `no answer` for what never came. */
export function inMilliseconds(ms: number): string {
  return ms === Infinity ? 'no answer' : `${Number(ms.toPrecision(4))} ms`
}
