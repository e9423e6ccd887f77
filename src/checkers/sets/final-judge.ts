import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { PartValueIds } from '../linearizability/encode-values.js'
import { AnomalyList } from '../anomaly-list.js'
import { shown, tell } from '../words.js'
import { FinalElements, type FinalElement } from './final-elements.js'
import type { SetOperations } from './set-operations.js'
import { doubtAbout, ofKey } from './words.js'

/** A read of a whole set at the end. */
export interface FinalReading {
  readonly invoked: number
  readonly completed: number
  readonly elements: readonly Json[]
  /** Who read, for a sentence. */
  readonly told: string
  /** Its operation, when it is one of the history. */
  readonly id: string | number | null
}

/** What the final reads show, over all keys. */
export class FinalFindings {
  readonly lost = new AnomalyList()
  readonly unexpected = new AnomalyList()
  readonly removed = new AnomalyList()
  /** Elements with an add that did not fail, and how many of those were acknowledged. */
  attempted = 0
  acknowledged = 0
  /** Elements that were added and are in every reading. */
  ok = 0
  /** Of those, the ones of which no add was acknowledged. */
  recovered = 0
  /** Missing elements with an acknowledged add that had not returned when the read began. */
  undecided = 0

  /** Judges the readings of one set, which were made at one time. */
  note(
    set: SetOperations,
    {
      initial,
      readings,
      ids,
    }: { initial: readonly Json[]; readings: readonly FinalReading[]; ids: PartValueIds },
  ): void {
    const [read] = readings
    if (read === undefined) return
    const elements = new FinalElements(ids, set, { initial, read })
    const seen = readings.map((reading) => presence(reading, elements))
    const isThere = (element: Json) => readings.some((reading) => reading.elements.includes(element))
    for (const [id, element] of elements.list.entries()) {
      const without = readings[seen.findIndex((there) => there[id] !== 1)]
      const holding = readings[seen.findIndex((there) => there[id] === 1)]
      this.#count(element, without === undefined)
      const told = { set, element, isThere }
      if (without !== undefined && element.mustBeThere) this.#lose(told, without)
      else if (without !== undefined && element.addedLate) this.undecided += 1
      if (holding === undefined || element.mayBeThere) continue
      if (element.lastRemove !== null && (element.initial || element.latestAdd !== null)) {
        this.#reappear(told, { remove: element.lastRemove, reading: holding })
      } else this.#intrude(told, holding)
    }
  }

  #count({ attempted, acknowledged }: FinalElement, isThere: boolean): void {
    if (!attempted) return
    this.attempted += 1
    if (acknowledged) this.acknowledged += 1
    if (!isThere) return
    this.ok += 1
    if (!acknowledged) this.recovered += 1
  }

  #lose({ set, element, isThere }: Told, { told, id }: FinalReading): void {
    this.lost.add(() => {
      const { lastAdd: add } = element
      const was =
        add === null
          ? `The element ${shown(element.element)} was there from the start`
          : `${tell(add)} was acknowledged`
      const doubt = doubtAbout(element.element, { failed: null, isThere })
      return {
        type: 'lost-element',
        explanation: `${was}, and the element is missing from ${told}${ofKey(set.key)}${doubt}.`,
        operations: present([add?.op_id, id]),
      }
    })
  }

  #reappear(
    { set, element }: Told,
    { remove, reading: { told, id } }: { remove: Operation; reading: FinalReading },
  ): void {
    this.removed.add(() => ({
      type: 'removed-element',
      explanation: `${tell(remove)} was acknowledged and began after every add of the element had returned, and ${told}${ofKey(set.key)} still holds it.`,
      operations: present([element.latestAdd?.op_id, remove.op_id, id]),
    }))
  }

  #intrude({ set, element, isThere }: Told, { told, id }: FinalReading): void {
    this.unexpected.add(() => {
      const { element: value, failed } = element
      return {
        type: 'unexpected-element',
        explanation: `The element ${shown(value)} is in ${told}${ofKey(set.key)}, and no operation before is known to have added it${doubtAbout(value, { failed, isThere })}.`,
        operations: present([failed?.op_id, id]),
      }
    })
  }
}

interface Told {
  readonly set: SetOperations
  readonly element: FinalElement
  readonly isThere: (element: Json) => boolean
}

/** 1 at the ids of the elements that a reading holds. */
function presence({ elements: list }: FinalReading, elements: FinalElements): Uint8Array {
  const ids = Int32Array.from(list, (element) => elements.idOf(element))
  const there = new Uint8Array(elements.list.length)
  for (const id of ids) there[id] = 1
  return there
}

function present(ids: readonly (string | number | null | undefined)[]): (string | number)[] {
  return ids.filter((id) => id !== null && id !== undefined)
}
