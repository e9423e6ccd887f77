import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { PartValueIds } from '../linearizability/encode-values.js'
import type { SetOperations, SetRead } from './set-operations.js'

/** What the reads of a history tell of one element; a lookup counts as a read. */
export class ElementTimeline {
  readonly element: Json
  /** Before the first operation. */
  readonly initial: boolean
  /** The add, of those that did not fail, that began first. */
  firstAdd: Operation | null = null
  /** The acknowledged add that returned first. */
  acknowledged: Operation | null = null
  failed: Operation | null = null
  /** A removal may have happened: then its absence means nothing. */
  mayBeRemoved = false
  /** The read that held it and returned first. */
  firstSeen: Operation | null = null
  /** A read that lists it more than once. */
  duplicated: Operation | null = null
  /** The reads, of those that hold it and of those that do not, that began last. */
  lastPresent: Operation | null = null
  lastAbsent: Operation | null = null

  constructor(element: Json, { initial }: { initial: boolean }) {
    this.element = element
    this.initial = initial
  }

  /** When it was certainly there: an add had been acknowledged, or a read that held it had returned. Else Infinity. */
  get knownAt(): number {
    if (this.initial) return -1
    return Math.min(this.acknowledged?.complete_ts ?? Infinity, this.firstSeen?.complete_ts ?? Infinity)
  }

  /** What made it known; null when it was there from the start, or is not known. */
  get knownBy(): Operation | null {
    if (this.initial) return null
    const { acknowledged, firstSeen } = this
    if (acknowledged === null || firstSeen === null) return acknowledged ?? firstSeen
    return (acknowledged.complete_ts ?? Infinity) <= (firstSeen.complete_ts ?? Infinity)
      ? acknowledged
      : firstSeen
  }
}

/**
 * The timelines of all elements of one set, those from the start and those that were added, read or looked up.
 *
 * Reads are taken in order of their invocation, and an element remembers the place of the last read that held it: one
 * that turns up again at a later place was absent right before. So the work grows with what the reads list, not with
 * elements times reads. A lookup is a read of one element.
 */
export function timelinesOf(
  ids: PartValueIds,
  { adds, removes, reads, lookups }: SetOperations,
  initial: readonly Json[],
): readonly ElementTimeline[] {
  const timelines: ElementTimeline[] = []
  ids.startPart()
  const idOf = (element: Json, isInitial = false) => {
    const id = ids.of(element)
    if (id === timelines.length) timelines.push(new ElementTimeline(element, { initial: isInitial }))
    return id
  }
  const of = (element: Json) => timelines[idOf(element)] as ElementTimeline
  for (const element of initial) idOf(element, true)
  for (const add of adds) noteAdd(of(add.input), add)
  for (const remove of removes) of(remove.input).mayBeRemoved = true

  const ordered = reads.toSorted((one, other) => one.operation.invoke_ts - other.operation.invoke_ts)
  const places: number[] = []
  const readAt = (place: number) => (ordered[place] as SetRead).operation
  for (const [place, { operation, elements }] of ordered.entries()) {
    for (const element of elements) {
      const id = idOf(element)
      const timeline = timelines[id] as ElementTimeline
      const last = places[id] ?? -1
      if (last === place) timeline.duplicated ??= operation
      if (last < place - 1) timeline.lastAbsent = readAt(place - 1)
      places[id] = place
      notePresent(timeline, operation)
    }
  }
  const end = ordered.length - 1
  for (const [id, timeline] of timelines.entries()) {
    if ((places[id] ?? -1) < end) timeline.lastAbsent = readAt(end)
  }
  for (const { operation, isThere } of lookups) {
    const timeline = of(operation.input)
    if (isThere) notePresent(timeline, operation)
    else if (operation.invoke_ts >= (timeline.lastAbsent?.invoke_ts ?? 0)) timeline.lastAbsent = operation
  }
  return timelines
}

function notePresent(timeline: ElementTimeline, read: Operation): void {
  if (read.invoke_ts >= (timeline.lastPresent?.invoke_ts ?? 0)) timeline.lastPresent = read
  if ((read.complete_ts ?? Infinity) < (timeline.firstSeen?.complete_ts ?? Infinity))
    timeline.firstSeen = read
}

function noteAdd(timeline: ElementTimeline, add: Operation): void {
  const outcome = outcomeOf(add)
  if (outcome === 'failed') {
    timeline.failed ??= add
    return
  }
  if (add.invoke_ts < (timeline.firstAdd?.invoke_ts ?? Infinity)) timeline.firstAdd = add
  if (outcome !== 'ok') return
  if ((add.complete_ts ?? Infinity) < (timeline.acknowledged?.complete_ts ?? Infinity))
    timeline.acknowledged = add
}
