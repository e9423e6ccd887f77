import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList } from '../anomaly-list.js'
import { shown, tell } from '../words.js'
import type { SetOperations } from './set-operations.js'
import type { ElementTimeline } from './set-timeline.js'
import { doubtAbout, ofKey } from './words.js'

/** What the reads show, over all keys. Each element that may have been there or was seen is counted in exactly one of the first five. */
export class FullFindings {
  /** In every read that began after it was known, or in those that began last. */
  stable = 0
  /** Known, and in no read that began after some moment. */
  readonly lost = new AnomalyList()
  /** Never known, or no read began after it was. */
  neverRead = 0
  /** Read, and not added before. */
  readonly unexpected = new AnomalyList()
  /** Not judged, since a removal may have taken them. */
  removed = 0
  /** Of the stable ones: missing from a read that began after it was known. */
  readonly stale = new AnomalyList()
  readonly duplicated = new AnomalyList()
  /** For how long each stale one was known and could still be missed, in ns. */
  readonly staleNs: number[] = []

  note(set: SetOperations, timeline: ElementTimeline): void {
    const { initial, firstAdd, firstSeen, duplicated, lastAbsent, lastPresent } = timeline
    if (duplicated !== null) this.#duplicate(timeline, duplicated)
    if (firstSeen !== null && !initial && !beganBefore(firstAdd, firstSeen)) {
      this.#intrude(set, { timeline, read: firstSeen })
    } else if (timeline.mayBeRemoved) this.removed += 1
    else if (lastAbsent !== null && lastAbsent.invoke_ts > timeline.knownAt) {
      if (lastPresent === null || lastPresent.invoke_ts < lastAbsent.invoke_ts) {
        this.#lose(set, { timeline, absent: lastAbsent })
      } else this.#miss(set, { timeline, absent: lastAbsent, again: lastPresent })
    } else if (lastPresent !== null && lastPresent.invoke_ts >= (lastAbsent?.invoke_ts ?? 0)) this.stable += 1
    else if (initial || firstAdd !== null) this.neverRead += 1
  }

  #lose(
    { key, reads }: SetOperations,
    { timeline, absent }: { timeline: ElementTimeline; absent: Operation },
  ): void {
    this.lost.add(() => {
      const isThere = (element: Json) =>
        reads.some(({ operation, elements }) => operation === absent && elements.includes(element))
      const ever =
        timeline.lastPresent === null ? 'no read ever holds it' : 'nor does any read that began later'
      return {
        type: 'lost-element',
        explanation: `${known(timeline)}, and ${tell(absent)}, which began after that, lacks it${ofKey(key)}; ${ever}${doubtAbout(timeline.element, { failed: null, isThere })}.`,
        operations: inOrder([timeline.knownBy, absent, timeline.lastPresent]),
      }
    })
  }

  #miss(
    { key }: SetOperations,
    { timeline, absent, again }: { timeline: ElementTimeline; absent: Operation; again: Operation },
  ): void {
    this.stable += 1
    this.staleNs.push(absent.invoke_ts - timeline.knownAt)
    this.stale.add(() => ({
      type: 'stale-element',
      explanation: `${known(timeline)}, and ${tell(absent)}, which began after that, lacks it${ofKey(key)}, while ${tell(again)} holds it.`,
      operations: inOrder([timeline.knownBy, absent, again]),
    }))
  }

  #intrude({ key }: SetOperations, { timeline, read }: { timeline: ElementTimeline; read: Operation }): void {
    this.unexpected.add(() => {
      const { element, firstAdd: add, failed } = timeline
      const origin =
        add === null
          ? `no operation is known to have added it${doubtAbout(element, { failed, isThere: () => false })}`
          : `${tell(add)} began only after that read had returned`
      return {
        type: 'unexpected-element',
        explanation: `${tell(read)} holds the element ${shown(element)}${ofKey(key)}, and ${origin}.`,
        operations: inOrder([failed, add, read]),
      }
    })
  }

  #duplicate({ element }: ElementTimeline, read: Operation): void {
    this.duplicated.add(() => ({
      type: 'duplicate-element',
      explanation: `${tell(read)} lists the element ${shown(element)} more than once.`,
      operations: [read.op_id],
    }))
  }
}

function beganBefore(add: Operation | null, read: Operation): boolean {
  return add !== null && add.invoke_ts <= (read.complete_ts ?? Infinity)
}

function known({ element, knownBy, acknowledged }: ElementTimeline): string {
  if (knownBy === null) return `The element ${shown(element)} was there from the start`
  const isAdd = knownBy === acknowledged
  return isAdd ? `${tell(knownBy)} was acknowledged` : `${tell(knownBy)} held the element ${shown(element)}`
}

/** Ids of different operations in order of invocation. */
function inOrder(operations: readonly (Operation | null)[]): (string | number)[] {
  const there = new Set(operations.filter((operation) => operation !== null))
  return [...there].toSorted((one, other) => one.invoke_ts - other.invoke_ts).map(({ op_id: id }) => id)
}
