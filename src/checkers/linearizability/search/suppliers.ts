import { none } from '../part.js'
import type { Position } from './position.js'
import { illegal, role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/** Who can leave a value, on an object of one value. Completed operations come before those of unknown outcome. */
export class Suppliers {
  readonly #position: Position
  readonly #unknown: UnknownOperations

  constructor(position: Position, unknown: UnknownOperations) {
    this.#position = position
    this.#unknown = unknown
  }

  /** The overwrite that leaves the value, was invoked before `limit` and returns first. */
  overwriteGiving(value: number, limit: number): number {
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
  otherGiving(value: number): number {
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
}
