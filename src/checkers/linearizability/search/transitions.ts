import { never, none } from '../part.js'
import type { Position } from './position.js'
import { illegal, role, type ValueUse } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'
import type { UsedUp } from './used-up.js'

/** What lets operations happen in a position, with the reductions that come with that. */
export class Transitions {
  readonly #position: Position
  readonly #unknown: UnknownOperations
  readonly #usedUp: UsedUp
  /** Set for objects of one value where nobody needs just any other value: then overwrites nobody needs may go. */
  readonly #dropping: ValueUse | null

  constructor(position: Position, { unknown, usedUp }: { unknown: UnknownOperations; usedUp: UsedUp }) {
    this.#position = position
    this.#unknown = unknown
    this.#usedUp = usedUp
    const { value } = position.behaviour
    this.#dropping = value?.denies.every((denied) => denied === none) ? value : null
  }

  /** Whether the object is one value that operations only read or overwrite. */
  get isReadWrite(): boolean {
    return this.#dropping !== null && !this.#position.behaviour.roles.includes(role.other)
  }

  /** Lets an operation happen now. False, and nothing changed, where it cannot or need not. */
  apply(operation: number): boolean {
    const position = this.#position
    const { problem, behaviour } = position
    const kind = problem.kind[operation] as number
    const after = behaviour.step(position.state, kind)
    if (after === illegal) return false
    const isOverwrite = behaviour.roles[kind] === role.overwrite
    if (problem.complete[operation] === never) {
      if ((after === position.state && !isOverwrite) || !this.#isUseful(after)) return false
      this.#useUp(kind)
    }
    if (isOverwrite) {
      this.#dropUseless(operation)
      position.overwrittenAt = position.horizon
    }
    position.linearize(operation)
    position.state = after
    return true
  }

  /** Lets an overwrite happen just before the last one, with the observers of what it left. */
  hide(operation: number): void {
    const position = this.#position
    const kind = position.problem.kind[operation] as number
    if (position.problem.complete[operation] === never) this.#useUp(kind)
    position.linearize(operation)
    position.linearizeObservers(position.behaviour.step(position.state, kind), position.overwrittenAt)
  }

  #useUp(kind: number): void {
    const value = this.#dropping
    this.#position.used = this.#usedUp.plus(this.#position.used, kind, (other) => {
      return value === null || this.#isUseful(value.gives[other] as number)
    })
  }

  #isUseful(value: number): boolean {
    if (this.#dropping === null) return true
    return (this.#position.stillNeeded[value] as number) > 0 || this.#unknown.needed.has(value)
  }

  /** Linearizes the open overwrites whose value nobody needs, just before another one. */
  #dropUseless(except: number): void {
    if (this.#dropping === null) return
    const { gives } = this.#dropping
    const position = this.#position
    const { next } = position.calls
    const { invoke, kind } = position.problem
    for (let call = next[position.end] as number; call !== position.end;) {
      if ((invoke[call] as number) >= position.horizon) return
      const following = next[call] as number
      const its = kind[call] as number
      const isOverwrite = position.behaviour.roles[its] === role.overwrite
      if (call !== except && isOverwrite && !this.#isUseful(gives[its] as number)) position.linearize(call)
      call = following
    }
  }
}
