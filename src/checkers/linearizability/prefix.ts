import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { refutes } from './refutes.js'

/**
 * What was known at the moment at which `until` returned: calls invoked later are not there, those that return later
 * have unknown outcomes, and observers among these say nothing. Linearizability is kept by such a cut.
 */
export function prefix(calls: readonly Call[], until: Call): Call[] {
  return calls.flatMap((call) => {
    if (call.invoke > until.complete) return []
    if (call.complete <= until.complete) return [call]
    if (call.observer) return []
    return [
      { ...call, complete: Infinity, seen: { ...call.seen, outcome: 'unknown' as const, output: null } },
    ]
  })
}

/**
 * The first return at which the history stops being linearizable, given one that the search could not get past.
 *
 * It may be later than that: the search knows how open calls will end, and whoever stands at that moment does not.
 * Returns `stuckAt` itself when the time for this runs out.
 */
export async function firstBreak(
  partition: Partition,
  stuckAt: Call,
  { model, pacer }: { model: Model; pacer: Pacer },
): Promise<Call> {
  const context = { key: partition.key, model, pacer }
  if (await refutes(prefix(partition.calls, stuckAt), context)) return stuckAt
  const returns = partition.calls
    .filter((call) => call.complete !== Infinity && call.complete > stuckAt.complete)
    .sort((a, b) => a.complete - b.complete)
  let low = 0
  let high = returns.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (await refutes(prefix(partition.calls, returns[middle] as Call), context)) high = middle
    else low = middle + 1
  }
  return returns[low] ?? stuckAt
}
