import { none } from '../part.js'

const mostStates = 8

/** How far a search came: the first return that no order got past, and the states that are possible just before. */
export class Furthest {
  #horizon = -1
  /** The operation of that return; `none` before the first configuration. */
  operation = none
  readonly #states = new Set<number>()

  /** States possible there, as the behaviour knows them; up to eight. */
  get states(): readonly number[] {
    return [...this.#states]
  }

  /** Notes a configuration by its first return, that return's operation, and its state. */
  note(horizon: number, operation: number, state: number): void {
    if (horizon < this.#horizon) return
    if (horizon > this.#horizon) {
      this.#states.clear()
      this.operation = operation
      this.#horizon = horizon
    }
    if (this.#states.size < mostStates) this.#states.add(state)
  }
}
