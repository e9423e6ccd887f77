import { never, type Part } from '../../part.js'
import { timelineOf } from '../timeline.js'

/**
 * The events of each element in order of time: `i + 1` where operation `i` is invoked, `-(i + 1)` where it completes.
 * Element `e` has those from `starts[e]` up to `starts[e + 1]`.
 */
export function eventsByElement(part: Part): { events: Int32Array; starts: Int32Array } {
  const { count, a, complete, values } = part
  const timeline = timelineOf(part)
  const starts = new Int32Array(values + 1)
  for (let i = 0; i < count; i += 1) starts[a[i]! + 1]! += complete[i] === never ? 1 : 2
  for (let element = 0; element < values; element += 1) starts[element + 1]! += starts[element]!
  if (values === 1) return { events: timeline, starts }
  const next = starts.slice()
  const events = new Int32Array(timeline.length)
  for (const event of timeline) {
    const element = a[Math.abs(event) - 1]!
    events[next[element]!] = event
    next[element]! += 1
  }
  return { events, starts }
}
