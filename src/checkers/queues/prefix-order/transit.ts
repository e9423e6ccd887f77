import type { Operation } from '../../../history/operation.js'
import { returned } from '../accounts.js'
import type { Passage } from './overtaking.js'

/** The operations by which an element went in and came out. */
export interface Transit {
  readonly put: Operation
  /** What took it out of a queue, or showed its offset in a log; null when the put itself answered that. */
  readonly out: Operation | null
}

/** When an element came out, in nanoseconds, or the offset at which it stands in a log. */
export interface Exit {
  readonly from: number
  readonly by: number
  readonly out: Operation | null
}

/** What went through together, so that order is kept among it: a key's elements, or those of one producer. */
export interface Group {
  /** What is certain of its elements: an element that was put in several times stands for the last of them. */
  readonly certain: Passage<Transit>[]
  /** What each put may have been at worst, when some value was put in several times. */
  readonly possible: Passage<Transit>[]
  isAmbiguous: boolean
}

/** Of whose puts the order is kept: each producer's, or all of the key. */
export type Per = 'producer' | 'key'

/** The elements of one key in the groups whose order is to be kept. */
export class Groups {
  readonly #groups = new Map<string | number | null, Group>()
  readonly #per: Per

  constructor(per: Per) {
    this.#per = per
  }

  get all(): readonly Group[] {
    return [...this.#groups.values()]
  }

  /**
   * Adds the puts of one value and when it came out; of several times, the first counts. `isElsewhere` says that the
   * value may also have come from where nothing is known of, such as what was there at first.
   */
  add(puts: readonly Operation[], exits: readonly Exit[], isElsewhere: boolean): void {
    const [first] = puts
    const [out] = exits
    if (first === undefined || out === undefined) return
    let exit = out
    let latest = out.from
    for (const other of exits) {
      latest = Math.max(latest, other.from)
      exit = {
        from: Math.min(exit.from, other.from),
        by: Math.min(exit.by, other.by),
        out: other.by < exit.by ? other.out : exit.out,
      }
    }
    if (puts.length === 1 && !isElsewhere) {
      const group = this.#of(first)
      const passage = passageOf(first, exit)
      group.certain.push(passage)
      group.possible.push(passage)
      return
    }
    for (const put of puts) {
      const group = this.#of(put)
      group.isAmbiguous = true
      group.possible.push(passageOf(put, { ...exit, from: latest }))
    }
    if (isElsewhere || puts.some((put) => this.#of(put) !== this.#of(first))) return
    let inFrom = Infinity
    let last = first
    for (const put of puts) {
      inFrom = Math.min(inFrom, put.invoke_ts)
      if (returned(put) > returned(last)) last = put
    }
    this.#of(first).certain.push({ ...passageOf(last, exit), inFrom })
  }

  #of({ process_id: process }: Operation): Group {
    const name = this.#per === 'producer' ? process : null
    let group = this.#groups.get(name)
    if (group === undefined) {
      group = { certain: [], possible: [], isAmbiguous: false }
      this.#groups.set(name, group)
    }
    return group
  }
}

function passageOf(put: Operation, { from, by, out }: Exit): Passage<Transit> {
  return { source: { put, out }, inFrom: put.invoke_ts, inBy: returned(put), outFrom: from, outBy: by }
}
