import type { NodeActivity } from '../nemesis/fault.js'
import { outcomeOf, type Operation, type Outcome } from './operation.js'

/** An operation under way or over, as far as the activity of its node is concerned. */
export interface AimedOperation {
  readonly operation: Operation
  readonly node: string | null
  /** In flight. */
  readonly open: boolean
}

/**
 * What clients have seen of a node since a moment (ns): the outcomes of operations aimed at it (`aimed`, in order of
 * invocation) that were invoked at or after it, and how long the oldest one in flight has been waiting by `now`. A wait
 * counts from `since` at the earliest, so that an operation which was slow before does not tell of what came after.
 */
export function nodeActivity(
  aimed: readonly AimedOperation[],
  inFlight: Iterable<AimedOperation>,
  { node, since, now }: { readonly node: string; readonly since: number; readonly now: number },
): NodeActivity {
  const counts: Record<Outcome, number> = { ok: 0, failed: 0, unknown: 0 }
  for (let index = aimed.length - 1; index >= 0; index--) {
    const { operation, open } = aimed[index]!
    if (operation.invoke_ts < since) break
    if (!open) counts[outcomeOf(operation)] += 1
  }
  let oldest = now
  for (const waiting of inFlight) {
    if (waiting.node === node) oldest = Math.min(oldest, Math.max(waiting.operation.invoke_ts, since))
  }
  return { ...counts, oldestWaitMs: (now - oldest) / 1e6 }
}
