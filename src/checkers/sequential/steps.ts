import type { Model } from '../../models/model.js'
import { modelBehaviour } from '../linearizability/search/model-problem.js'
import type { Behaviour } from '../linearizability/search/problem.js'
import type { Call } from './calls.js'

/** What calls do to their objects; states are small integers. */
export class Steps {
  /** By call: its object, counted from 0. */
  readonly object: Int32Array
  readonly #kind: Int32Array
  readonly #behaviours: Behaviour[] = []

  constructor(calls: readonly Call[], model: Model) {
    this.object = new Int32Array(calls.length)
    this.#kind = new Int32Array(calls.length)
    const byKey = new Map<Call['key'], number[]>()
    for (const [index, { key }] of calls.entries()) {
      const its = byKey.get(key)
      if (its) its.push(index)
      else byKey.set(key, [index])
    }
    for (const [key, its] of byKey) {
      const at = (index: number) => calls[its[index] as number] as Call
      const { kind, behaviour } = modelBehaviour(
        {
          key,
          count: its.length,
          seenAt: (index) => at(index).seen,
          idAt: (index) => at(index).operation.op_id,
        },
        model,
      )
      for (const [place, index] of its.entries()) {
        this.object[index] = this.#behaviours.length
        this.#kind[index] = kind[place] as number
      }
      this.#behaviours.push(behaviour)
    }
  }

  get objects(): number {
    return this.#behaviours.length
  }

  initial(object: number): number {
    return this.#behaviours[object]?.initial as number
  }

  /** The state of its object after the call, or `illegal`. */
  step(state: number, call: number): number {
    return this.#behaviours[this.object[call] as number]?.step(state, this.#kind[call] as number) as number
  }
}
