import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { PartValueIds } from '../linearizability/encode-values.js'
import type { SetOperations } from './set-operations.js'

/** When a final read was made. */
interface Moment {
  readonly invoked: number
  readonly completed: number
}

/**
 * What the history tells of one element up to a final read.
 *
 * The read can be explained when some order of the element's adds and removals, each between its invocation and its
 * return, leaves the element as the read saw it. Real time orders intervals, so that it is enough to look at the last
 * ones: an element must be there when an acknowledged add began after every possible removal had returned, and must not
 * when there was no add, or an acknowledged removal began after every possible add had returned.
 */
export class FinalElement {
  readonly element: Json
  acknowledged = false
  /** Has adds that did not fail. */
  attempted = false
  /** Before the first operation. */
  initial = false
  failed: Operation | null = null
  /** The acknowledged add, of those that returned before the read, that began last. */
  lastAdd: Operation | null = null
  lastRemove: Operation | null = null
  /** Has an acknowledged add that had not returned when the read began: whether the read must hold it is open. */
  addedLate = false
  /** The add behind `addedBy`. */
  latestAdd: Operation | null = null
  /** The latest return of an add or a removal that may have come before the read; Infinity for an unanswered one. */
  addedBy = -Infinity
  removedBy = -Infinity

  constructor(element: Json) {
    this.element = element
  }

  get mustBeThere(): boolean {
    if (this.lastAdd !== null) return this.removedBy < this.lastAdd.invoke_ts
    return this.initial && this.removedBy === -Infinity
  }

  get mayBeThere(): boolean {
    if (this.lastRemove !== null) return this.addedBy >= this.lastRemove.invoke_ts
    return this.initial || this.addedBy > -Infinity
  }
}

/** The elements of one set by their ids. */
export class FinalElements {
  readonly list: FinalElement[] = []
  readonly #ids: PartValueIds

  /** `ids` is used for this set alone until the next one is made with it. */
  constructor(
    ids: PartValueIds,
    { adds, removes }: SetOperations,
    { initial, read }: { initial: readonly Json[]; read: Moment },
  ) {
    this.#ids = ids
    ids.startPart()
    for (const element of initial) this.#of(element).initial = true
    for (const add of adds) this.#noteAdd(add, read)
    for (const remove of removes) this.#noteRemove(remove, read)
  }

  idOf(element: Json): number {
    const id = this.#ids.of(element)
    if (id === this.list.length) this.list.push(new FinalElement(element))
    return id
  }

  #of(element: Json): FinalElement {
    return this.list[this.idOf(element)] as FinalElement
  }

  #noteAdd(add: Operation, read: Moment): void {
    const of = this.#of(add.input)
    const outcome = outcomeOf(add)
    if (outcome === 'failed') {
      of.failed ??= add
      return
    }
    of.attempted = true
    if (outcome === 'ok') {
      of.acknowledged = true
      if ((add.complete_ts ?? Infinity) >= read.invoked) of.addedLate = true
    }
    if (add.invoke_ts > read.completed) return
    const completed = add.complete_ts ?? Infinity
    if (completed >= of.addedBy) {
      of.addedBy = completed
      of.latestAdd = add
    }
    if (completed < read.invoked && add.invoke_ts >= (of.lastAdd?.invoke_ts ?? 0)) of.lastAdd = add
  }

  #noteRemove(remove: Operation, read: Moment): void {
    if (remove.invoke_ts > read.completed) return
    const of = this.#of(remove.input)
    const completed = remove.complete_ts ?? Infinity
    of.removedBy = Math.max(of.removedBy, completed)
    if (completed < read.invoked && remove.invoke_ts >= (of.lastRemove?.invoke_ts ?? 0))
      of.lastRemove = remove
  }
}
