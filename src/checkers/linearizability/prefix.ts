import type { Call } from './call.js'
import { settle, type Settling } from './settle.js'

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
 * Where a bounded search does not tell, it is `stuckAt`: everything before that can be explained in any case.
 */
export async function firstBreak(calls: readonly Call[], stuckAt: Call, settling: Settling): Promise<Call> {
  if ((await settle(prefix(calls, stuckAt), settling)) !== 'linearizable') return stuckAt
  const returns = calls
    .filter((call) => call.complete !== Infinity && call.complete > stuckAt.complete)
    .sort((a, b) => a.complete - b.complete)
  let low = 0
  let high = returns.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const outcome = await settle(prefix(calls, returns[middle] as Call), settling)
    if (outcome === 'open') return stuckAt
    if (outcome === 'linearizable') low = middle + 1
    else high = middle
  }
  return returns[low] ?? stuckAt
}
