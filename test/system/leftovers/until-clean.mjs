import { setTimeout as sleep } from 'node:timers/promises'

/** Looks until nothing is left, or the deadline has passed. Resolves to what the last look saw, and when. */
export async function untilClean(leftovers, deadline) {
  for (;;) {
    const late = deadline.passed()
    const left = await leftovers.look()
    const at = performance.now()
    if (left.length === 0 || late) return { left, at }
    await sleep(50)
  }
}
