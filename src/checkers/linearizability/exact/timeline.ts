import { never, type Part } from '../part.js'

/** What happens at each rank: `i + 1` when operation `i` is invoked, `-(i + 1)` when it completes. */
export function timelineOf({ count, events, invoke, complete }: Part): Int32Array {
  const timeline = new Int32Array(events)
  for (let i = 0; i < count; i += 1) {
    timeline[invoke[i]!] = i + 1
    if (complete[i] !== never) timeline[complete[i]!] = -(i + 1)
  }
  return timeline
}
