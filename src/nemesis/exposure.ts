import { outcomeOf, type Operation } from '../history/operation.js'
import type { Exposure, FaultWindow } from './evidence.js'
import { refutedBy } from './refuted.js'

/** The node that a client (`process_id`) is connected to; null when that is not known. */
export type NodeOf = (process: Operation['process_id']) => string | null

/**
 * Counts the operations that met a fault: those in flight at a moment of its window, and of them those on an affected
 * path, because their client's node or the node that answered is one of `affects`.
 *
 * An operation without an answer that was invoked before the window counts only when the recorder saw the window open
 * during it (`fault_epoch`): when it ended is not known, so its interval alone proves nothing.
 */
export function exposure(
  window: Pick<FaultWindow, 'id' | 'injected_ts' | 'healed_ts'>,
  affects: readonly string[],
  operations: readonly Operation[],
  nodeOf: NodeOf,
): Exposure {
  const overlapping = operations.filter((operation) => overlaps(operation, window))
  const hit = new Set(affects)
  const exposed = overlapping.filter((operation) =>
    [operation.node_seen, nodeOf(operation.process_id)].some((node) => node !== null && hit.has(node)),
  )
  const count = (outcome: 'ok' | 'failed' | 'unknown') =>
    exposed.filter((operation) => outcomeOf(operation) === outcome).length
  return {
    overlapping: overlapping.length,
    exposed: exposed.length,
    ok: count('ok'),
    failed: count('failed'),
    unknown: count('unknown'),
  }
}

function overlaps(
  operation: Operation,
  { id, injected_ts, healed_ts }: Pick<FaultWindow, 'id' | 'injected_ts' | 'healed_ts'>,
): boolean {
  if (healed_ts !== null && operation.invoke_ts >= healed_ts) return false
  if (operation.complete_ts !== null) return operation.complete_ts > injected_ts
  return operation.invoke_ts >= injected_ts || (operation.fault_epoch?.split('+').includes(id) ?? false)
}

/** The window as it counts: one that its own readings refute, or that no operation met, has not landed. */
export function judgeLanding(window: FaultWindow): FaultWindow {
  if (!window.landed) return window
  const cause = refutedBy(window.evidence) ?? unmet(window.exposure)
  return cause === null ? window : { ...window, landed: false, cause }
}

function unmet(exposed: Exposure | null): string | null {
  if (exposed === null || exposed.exposed > 0) return null
  const { overlapping } = exposed
  return overlapping === 0
    ? 'no operation met the fault: none was in flight while it was in place'
    : `no operation met the fault: ${overlapping} were in flight while it was in place, none on an affected path`
}
