import { changed, type FaultContext, type NodeActivity } from '../fault.js'
import type { Evidence } from '../evidence.js'

/** Clients are compared with the two seconds before the fault. */
const baselineNs = 2_000_000_000

/** Reads what clients see of a node since `since` (ns): only readings that stand out from the time before the fault. */
export type ClientWatch = (since: number) => readonly Evidence[]

/**
 * Takes a baseline of what clients see of a node, so that later readings can be told from what is usual there.
 *
 * Operations that fail for reasons of the application, such as a lost compare-and-set, occur before the fault as well:
 * failures count only when there were none before, or when their share has more than doubled. The wait of the oldest
 * unanswered operation counts from `stallMs` on, when it is three times what was seen before.
 */
export function watchClients(
  context: FaultContext,
  node: string,
  { stallMs }: { stallMs: number },
): ClientWatch {
  const before = context.activity(node, Math.max(0, context.clock.now() - baselineNs))
  return (since) => {
    const after = context.activity(node, since)
    const reading = { side: 'victim', subject: node, at: context.clock.now() } as const
    const readings: Evidence[] = []
    if (trouble(after) > 0 && share(after) > 2 * share(before)) {
      readings.push({
        ...reading,
        signal: 'client operations that failed or got no answer (%)',
        before: percent(share(before)),
        after: percent(share(after)),
      })
    }
    if (after.oldestWaitMs >= stallMs && after.oldestWaitMs > 3 * before.oldestWaitMs) {
      readings.push({
        ...reading,
        signal: 'wait of the oldest unanswered client operation (ms)',
        before: Math.round(before.oldestWaitMs),
        after: Math.round(after.oldestWaitMs),
      })
    }
    return readings.filter(changed)
  }
}

function trouble({ failed, unknown }: NodeActivity): number {
  return failed + unknown
}

function percent(value: number): number {
  return Math.round(1_000 * value) / 10
}

function share(activity: NodeActivity): number {
  const all = activity.ok + trouble(activity)
  return all === 0 ? 0 : trouble(activity) / all
}
