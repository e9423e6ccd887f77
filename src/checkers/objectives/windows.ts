import type { FaultSpan } from '../../history/fault-span.js'
import type { Operation } from '../../history/operation.js'

/** Which operations an objective is about: all, those that met a fault, or those before the first or after the last one. */
export const windows = ['all', 'fault', 'before', 'after'] as const
export type Window = (typeof windows)[number]

/**
 * The operations of a window. Without spans of the faults, the operations that carry a fault epoch say when there were
 * any.
 */
export function inWindow(
  operations: readonly Operation[],
  window: Window,
  faults: readonly FaultSpan[] = [],
): readonly Operation[] {
  if (window === 'all') return operations
  if (window === 'fault') return operations.filter(({ fault_epoch: epoch }) => epoch !== null)
  const met = operations.filter(({ fault_epoch: epoch }) => epoch !== null)
  const starts = faults.length > 0 ? faults.map(({ start }) => start) : met.map(({ invoke_ts }) => invoke_ts)
  const ends =
    faults.length > 0
      ? faults.map(({ end }) => end ?? Infinity)
      : met.map(({ invoke_ts, complete_ts }) => complete_ts ?? invoke_ts)
  const first = starts.reduce((least, time) => Math.min(least, time), Infinity)
  const last = ends.reduce((most, time) => Math.max(most, time), -Infinity)
  return operations.filter(({ invoke_ts, complete_ts, fault_epoch: epoch }) => {
    if (epoch !== null) return false
    return window === 'before' ? (complete_ts ?? invoke_ts) < first : invoke_ts > last && last > -Infinity
  })
}
