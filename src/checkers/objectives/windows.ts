import type { FaultSpan } from '../../history/fault-span.js'
import type { Operation } from '../../history/operation.js'

/** Which operations an objective is about: all, those that met a fault, or those before the first or after the last one. */
export const windows = ['all', 'fault', 'before', 'after'] as const
export type Window = (typeof windows)[number]

/** The operations of a window. Without spans of the faults, those that carry a fault epoch say when there were any. */
export function inWindow(
  operations: readonly Operation[],
  window: Window,
  faults: readonly FaultSpan[] = [],
): readonly Operation[] {
  if (window === 'all') return operations
  const met = (operation: Operation) =>
    operation.fault_epoch !== null || faults.some((fault) => overlaps(operation, fault))
  if (window === 'fault') return operations.filter(met)
  const { first, last } = extent(faults.length > 0 ? faults : operations.filter(met).map(spanOf))
  return operations.filter((operation) => {
    if (met(operation)) return false
    const { invoke_ts: start, complete_ts: end } = operation
    return window === 'before' ? (end ?? start) < first : start > last && last > -Infinity
  })
}

interface Span {
  readonly start: number
  readonly end: number | null
}

/** An operation without an answer is in flight for ever. */
function overlaps({ invoke_ts, complete_ts }: Operation, { start, end }: Span): boolean {
  return invoke_ts <= (end ?? Infinity) && (complete_ts ?? Infinity) >= start
}

function spanOf({ invoke_ts, complete_ts }: Operation): Span {
  return { start: invoke_ts, end: complete_ts ?? invoke_ts }
}

function extent(spans: readonly Span[]): { first: number; last: number } {
  return spans.reduce<{ first: number; last: number }>(
    ({ first, last }, { start, end }) => ({
      first: Math.min(first, start),
      last: Math.max(last, end ?? Infinity),
    }),
    { first: Infinity, last: -Infinity },
  )
}
