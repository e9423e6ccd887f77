import { never, type Part } from '../../part.js'
import { turnsTo, type Toggles } from './toggles.js'

/** Observers are left out one by one of a violation of at most that many events. */
const mostEvents = 256

/**
 * A part of one element's events that fails by itself, given that all of them fail at the last one.
 *
 * Cuts where nothing is open and no unknown change may still come: there the element is on or off for certain, and the
 * last add stands for all that was before. Then leaves out observers, which never makes a possible history impossible.
 */
export function narrow(part: Part, { events, toggles }: { events: Int32Array; toggles: Toggles }): number[] {
  let core = Array.from(events)
  for (let size = 8; size < events.length; size *= 4) {
    const candidate = since(part, events, size)
    if (candidate === null) break
    if (toggles.firstFailure(candidate) < 0) continue
    core = candidate
    break
  }
  const observers = [...new Set(core.map((event) => Math.abs(event) - 1))].filter(
    (i) => turnsTo(part, i) === null,
  )
  if (core.length > mostEvents) return operationsOf(core)
  for (const observer of observers) {
    const rest = core.filter((event) => Math.abs(event) - 1 !== observer)
    if (toggles.firstFailure(rest) >= 0) core = rest
  }
  return operationsOf(core)
}

/** The events from the last certain moment that is at least `size` events back, with what made the element so. */
function since(part: Part, events: Int32Array, size: number): number[] | null {
  let open = 0
  let present = 0
  let lastAdd = 0
  let cut: { at: number; change: number } | null = null
  for (let at = 0; at <= events.length - size; at += 1) {
    if (open === 0) cut = { at, change: present === 1 ? lastAdd : 0 }
    const event = events[at]!
    const i = Math.abs(event) - 1
    const turns = turnsTo(part, i)
    if (part.complete[i] !== never) open += event > 0 ? 1 : -1
    else if (turns !== null) break
    if (event > 0 || turns === null) continue
    present += turns === 1 ? 1 : -1
    if (turns === 1) lastAdd = i + 1
  }
  if (cut === null || cut.at === 0) return null
  const { at, change } = cut
  return [...(change > 0 ? [change, -change] : []), ...events.subarray(at)]
}

function operationsOf(events: readonly number[]): number[] {
  return [...new Set(events.map((event) => Math.abs(event) - 1))]
}
