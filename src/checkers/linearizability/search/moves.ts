import { none } from '../part.js'
import { Outlook } from './outlook.js'
import type { Position } from './position.js'
import { illegal, role } from './problem.js'
import { Suppliers } from './suppliers.js'
import type { UnknownOperations } from './unknown-operations.js'

/**
 * The moves to try first for the operation that returns first, the most promising first. Whatever is not among them is
 * tried later, so that they decide how fast an order is found and not whether.
 *
 * A move is an operation to apply, or `~operation` to hide: it happened just before the last overwrite, which is
 * allowed when it was invoked before that, and leaves the state as it is.
 */
export class Moves {
  readonly #position: Position
  readonly #suppliers: Suppliers
  readonly #outlook: Outlook
  readonly #list: number[] = []

  constructor(position: Position, unknown: UnknownOperations) {
    this.#position = position
    this.#suppliers = new Suppliers(position, unknown)
    this.#outlook = new Outlook(position, unknown)
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
    this.#add(this.#suppliers.overwriteGiving(needs, horizon))
    this.#add(this.#suppliers.otherGiving(needs))
  }

  #forOverwrite(forced: number, kind: number): void {
    const { problem, state, horizon, overwrittenAt } = this.#position
    const gives = this.#position.behaviour.step(state, kind)
    if (gives === state) {
      this.#add(forced)
      return
    }
    const isWanted = this.#outlook.isNeededLater(state)
    if ((problem.invoke[forced] as number) < overwrittenAt) {
      if (this.#outlook.isNeededAfter(gives, { except: forced, limit: overwrittenAt }) && !isWanted) {
        this.#add(forced)
        this.#hide(forced)
      } else {
        this.#hide(forced)
        this.#add(forced)
      }
      return
    }
    const again = isWanted ? this.#suppliers.overwriteGiving(state, horizon) : none
    if (again !== none) {
      this.#add(again)
      this.#add(forced)
      return
    }
    const nextNeed = this.#outlook.nextNeed()
    const helper =
      nextNeed !== none && nextNeed !== gives ? this.#suppliers.overwriteGiving(nextNeed, horizon) : none
    if (
      helper === none ||
      helper === forced ||
      this.#outlook.isNeededAfter(gives, { except: forced, limit: horizon })
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
    const hidden = isHideable ? this.#suppliers.overwriteGiving(needs, overwrittenAt) : none
    const applied = this.#suppliers.overwriteGiving(needs, horizon)
    const other = this.#suppliers.otherGiving(needs)
    const isWanted = this.#outlook.isNeededLater(state)
    if (hidden === none) {
      const first = !isWanted || other === none ? applied : other
      this.#add(first)
      this.#add(first === applied ? other : applied)
    } else if (!isWanted && this.#outlook.isNeededAfter(needs, { except: hidden, limit: overwrittenAt })) {
      this.#add(applied)
      this.#hide(hidden)
    } else {
      this.#hide(hidden)
      this.#add(applied)
    }
  }

  #forDenier(): void {
    const nextNeed = this.#outlook.nextNeed()
    if (nextNeed !== none && nextNeed !== this.#position.state) {
      this.#add(this.#suppliers.overwriteGiving(nextNeed, this.#position.horizon))
    }
  }
}
