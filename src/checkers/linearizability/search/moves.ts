import { none } from '../part.js'
import type { Position } from './position.js'
import { illegal, role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/** How far to look for the next reader. */
const lookahead = 16

/**
 * The moves to try first for the operation that returns first, the most promising first. Whatever is not among them is
 * tried later, so that they decide how fast an order is found and not whether.
 *
 * A move is an operation to apply, or `~operation` to hide: it happened just before the last overwrite, which is
 * allowed when it was invoked before that, and leaves the state as it is.
 */
export class Moves {
  readonly #position: Position
  readonly #unknown: UnknownOperations
  readonly #list: number[] = []

  constructor(position: Position, unknown: UnknownOperations) {
    this.#position = position
    this.#unknown = unknown
  }

  /** The same list for the same configuration; overwritten by the next call. */
  preferred(): readonly number[] {
    this.#list.length = 0
    const { forced, problem, behaviour } = this.#position
    const kind = problem.kind[forced] as number
    const { value } = behaviour
    if (problem.order !== undefined) this.#byOrder(problem.order)
    if (value === null) this.#forAnyObject(forced, kind)
    else if (behaviour.roles[kind] === role.overwrite) this.#forOverwrite(forced, kind)
    else if (behaviour.roles[kind] === role.other) this.#forOther(forced, value.needs[kind] as number)
    else if (value.needs[kind] !== none) this.#forReader(forced, value.needs[kind] as number)
    else this.#forDenier()
    return this.#list
  }

  #add(move: number): void {
    if (move !== none) this.#list.push(move)
  }

  #hide(operation: number): void {
    if (operation !== none) this.#list.push(~operation)
  }

  /** What comes first in the order that the system claims, unless what returns first comes before that. */
  #byOrder(order: Float64Array): void {
    const { calls, end, problem, behaviour, horizon, forced } = this.#position
    let best = none
    for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
      if ((problem.invoke[call] as number) >= horizon) break
      if (behaviour.roles[problem.kind[call] as number] === role.observer) continue
      if (best === none || (order[call] as number) < (order[best] as number)) best = call
    }
    if (best === none || order[best] === Infinity) return
    if ((order[best] as number) <= (order[forced] as number)) this.#add(best)
  }

  #forAnyObject(forced: number, kind: number): void {
    const { problem, behaviour, overwrittenAt } = this.#position
    if (behaviour.roles[kind] === role.overwrite && (problem.invoke[forced] as number) < overwrittenAt) {
      this.#hide(forced)
    }
  }

  #forOther(forced: number, needs: number): void {
    const { horizon } = this.#position
    if (this.#position.stateAfter(forced) !== illegal) {
      this.#add(forced)
      return
    }
    this.#add(this.#overwriteGiving(needs, horizon))
    this.#add(this.#otherGiving(needs))
  }

  #forOverwrite(forced: number, kind: number): void {
    const { problem, state, horizon, overwrittenAt } = this.#position
    const gives = this.#position.behaviour.step(state, kind)
    if (gives === state) {
      this.#add(forced)
      return
    }
    const isWanted = this.#isNeededLater(state)
    if ((problem.invoke[forced] as number) < overwrittenAt) {
      if (this.#isNeededAfter(gives, { except: forced, limit: overwrittenAt }) && !isWanted) {
        this.#add(forced)
        this.#hide(forced)
      } else {
        this.#hide(forced)
        this.#add(forced)
      }
      return
    }
    const again = isWanted ? this.#overwriteGiving(state, horizon) : none
    if (again !== none) {
      this.#add(again)
      this.#add(forced)
      return
    }
    const nextNeed = this.#nextNeed()
    const helper = nextNeed !== none && nextNeed !== gives ? this.#overwriteGiving(nextNeed, horizon) : none
    if (
      helper === none ||
      helper === forced ||
      this.#isNeededAfter(gives, { except: forced, limit: horizon })
    ) {
      this.#add(forced)
      if (helper !== forced) this.#add(helper)
    } else {
      this.#add(helper)
      this.#add(forced)
    }
  }

  #forReader(forced: number, needs: number): void {
    const { problem, state, horizon, overwrittenAt } = this.#position
    const isHideable = (problem.invoke[forced] as number) < overwrittenAt
    const hidden = isHideable ? this.#overwriteGiving(needs, overwrittenAt) : none
    const applied = this.#overwriteGiving(needs, horizon)
    const other = this.#otherGiving(needs)
    const isWanted = this.#isNeededLater(state)
    if (hidden === none) {
      const first = !isWanted || other === none ? applied : other
      this.#add(first)
      this.#add(first === applied ? other : applied)
    } else if (!isWanted && this.#isNeededAfter(needs, { except: hidden, limit: overwrittenAt })) {
      this.#add(applied)
      this.#hide(hidden)
    } else {
      this.#hide(hidden)
      this.#add(applied)
    }
  }

  #forDenier(): void {
    const nextNeed = this.#nextNeed()
    if (nextNeed !== none && nextNeed !== this.#position.state) {
      this.#add(this.#overwriteGiving(nextNeed, this.#position.horizon))
    }
  }

  /** The overwrite that leaves the value, was invoked before `limit` and returns first. */
  #overwriteGiving(value: number, limit: number): number {
    const { givers, end, problem, behaviour, usedOfKind } = this.#position
    if (givers === null) return none
    const { next } = givers
    const { invoke, complete, kind } = problem
    let best = none
    for (let one = next[end + value] as number; one < end; one = next[one] as number) {
      if ((invoke[one] as number) >= limit) break
      if (behaviour.roles[kind[one] as number] !== role.overwrite) continue
      if (best === none || (complete[one] as number) < (complete[best] as number)) best = one
    }
    if (best !== none) return best
    const unknown = this.#unknown.overwritesGiving.get(value)
    return unknown === undefined ? none : this.#unknown.next(unknown, usedOfKind[unknown] as number, limit)
  }

  /** What is no overwrite, leaves the value, can be applied now and returns first. */
  #otherGiving(value: number): number {
    const { givers, end, problem, behaviour, usedOfKind, horizon, state } = this.#position
    if (givers === null) return none
    const { next } = givers
    const { invoke, complete, kind } = problem
    let best = none
    for (let one = next[end + value] as number; one < end; one = next[one] as number) {
      if ((invoke[one] as number) >= horizon) break
      if (behaviour.roles[kind[one] as number] !== role.other) continue
      if (best !== none && (complete[best] as number) < (complete[one] as number)) continue
      if (this.#position.stateAfter(one) !== illegal) best = one
    }
    if (best !== none) return best
    for (const unknown of this.#unknown.othersGiving.get(value) ?? []) {
      const one = this.#unknown.next(unknown, usedOfKind[unknown] as number, horizon)
      if (one !== none && behaviour.step(state, unknown) !== illegal) return one
    }
    return none
  }

  /** Whether an operation needs the value, returning before a further one can leave it. */
  #isNeededLater(value: number): boolean {
    const { needers, givers, end, problem } = this.#position
    const reader = needers?.next[end + value] as number
    if (reader >= end) return false
    return !this.#isGivenBefore(
      value,
      problem.complete[reader] as number,
      givers?.next[end + value] as number,
    )
  }

  /** The same of a value that `except` leaves, looking only at what is invoked at or after `limit`. */
  #isNeededAfter(value: number, { except, limit }: { except: number; limit: number }): boolean {
    const { needers, givers, end, problem } = this.#position
    if (needers === null || givers === null) return false
    let reader = needers.next[end + value] as number
    while (reader < end && (problem.invoke[reader] as number) < limit) reader = needers.next[reader] as number
    if (reader >= end) return false
    let giver = givers.next[end + value] as number
    if (giver === except) giver = givers.next[giver] as number
    return !this.#isGivenBefore(value, problem.complete[reader] as number, giver)
  }

  #isGivenBefore(value: number, limit: number, giver: number): boolean {
    const { end, problem, usedOfKind } = this.#position
    if (giver < end && (problem.invoke[giver] as number) < limit) return true
    const unknown = this.#unknown.overwritesGiving.get(value)
    return unknown !== undefined && this.#unknown.next(unknown, usedOfKind[unknown] as number, limit) !== none
  }

  /** The value that the reader returning next needs. */
  #nextNeed(): number {
    const { returns, end, problem, behaviour } = this.#position
    let one = returns.next[end] as number
    for (let looked = 0; one !== end && looked < lookahead; looked += 1) {
      const kind = problem.kind[one] as number
      const needs = behaviour.value?.needs[kind] ?? none
      if (behaviour.roles[kind] === role.observer && needs !== none) return needs
      one = returns.next[one] as number
    }
    return none
  }
}
