import { canonical } from '../../models/canonical.js'
import type { Model } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import type { Call } from './call.js'

/** Measured on V8: a short state with its identity and its steps. */
const bytesPerState = 400

/** No state may follow. */
export const illegal = -1

/**
 * States and kinds of calls as small integers, and the model's steps between them, each asked for once.
 *
 * Two calls are of one kind when they have the same type, key, input, output and outcome (and process, where that matters): then they do the same in
 * every state.
 */
export class Transitions {
  readonly #model: Model
  readonly #states: unknown[] = []
  readonly #stateIds = new Map<string | number, number>()
  readonly #kinds: Call[] = []
  readonly #kindIds = new Map<string, number>()
  readonly #steps: Map<number, number>[] = []

  constructor(model: Model) {
    this.#model = model
  }

  /** Memory of the states, roughly. */
  get bytes(): number {
    return this.#states.length * bytesPerState
  }

  initial(key: string | number | null): number {
    return this.#stateId(this.#model.init(key))
  }

  kindOf(call: Call): number {
    const { type, key, input, output, outcome, process = null } = call.seen
    const name = canonical([type, key, input, output, outcome, process])
    const known = this.#kindIds.get(name)
    if (known !== undefined) return known
    this.#kinds.push(call)
    this.#kindIds.set(name, this.#kinds.length - 1)
    return this.#kinds.length - 1
  }

  /** The state after a call of the kind, or `illegal`. */
  step(state: number, kind: number): number {
    const steps = this.#steps[state] as Map<number, number>
    const known = steps.get(kind)
    if (known !== undefined) return known
    const call = this.#kinds[kind] as Call
    const next = attributed(call.operation.op_id, () => this.#model.step(this.#states[state], call.seen))
    const id = next === undefined ? illegal : this.#stateId(next)
    steps.set(kind, id)
    return id
  }

  describe(state: number): string {
    return this.#model.describeState(this.#states[state])
  }

  #stateId(state: unknown): number {
    const identity = this.#model.identity(state)
    const known = this.#stateIds.get(identity)
    if (known !== undefined) return known
    this.#states.push(state)
    this.#steps.push(new Map())
    this.#stateIds.set(identity, this.#states.length - 1)
    return this.#states.length - 1
  }
}
