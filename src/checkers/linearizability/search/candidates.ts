import { none } from '../part.js'
import type { Position } from './position.js'
import { illegal, role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/**
 * Everything that can be next, one after the other: completed operations in the order that the system claims and of
 * their return, then those of unknown outcome.
 *
 * Of operations that do the same only the one that returns first is tried: whatever order has another one of them
 * there still explains the history with the two exchanged.
 */
export class Candidates {
  readonly #position: Position
  readonly #unknown: UnknownOperations
  /** By kind: the operation that returns first, where `#stamp` is that of the last look. */
  readonly #firstOfKind: Int32Array
  readonly #stamps: Int32Array
  #stamp = 0

  constructor(position: Position, unknown: UnknownOperations) {
    this.#position = position
    this.#unknown = unknown
    this.#firstOfKind = new Int32Array(position.behaviour.kinds)
    this.#stamps = new Int32Array(position.behaviour.kinds)
  }

  /** The completed operation to try after `last` (`none` to begin with); `none` when there is no other. */
  completedAfter(last: number): number {
    const { calls, end, problem, behaviour, horizon } = this.#position
    const { invoke, complete, kind } = problem
    this.#stamp += 1
    for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
      if ((invoke[call] as number) >= horizon) break
      const its = kind[call] as number
      if (behaviour.roles[its] === role.observer) continue
      const isFirst = this.#stamps[its] !== this.#stamp
      if (isFirst || (complete[call] as number) < (complete[this.#firstOfKind[its] as number] as number)) {
        this.#stamps[its] = this.#stamp
        this.#firstOfKind[its] = call
      }
    }
    let best = none
    for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
      if ((invoke[call] as number) >= horizon) break
      const its = kind[call] as number
      if (behaviour.roles[its] === role.observer || this.#firstOfKind[its] !== call) continue
      if (last !== none && !this.#isBefore(last, call)) continue
      if (best === none || this.#isBefore(call, best)) best = call
    }
    return best
  }

  #isBefore(a: number, b: number): boolean {
    const { order, complete } = this.#position.problem
    const byOrder = order === undefined ? 0 : (order[a] as number) - (order[b] as number)
    // Infinity minus itself is no number: neither has a place.
    if (byOrder !== 0 && !Number.isNaN(byOrder)) return byOrder < 0
    return (complete[a] as number) < (complete[b] as number)
  }

  /**
   * Kinds of unknown outcome that may help. On an object of one value only those that leave what an open operation
   * needs: in any order one that nobody needs can be left out, and the others can wait until just before the first
   * operation that needs them.
   */
  unknownKinds(): readonly number[] {
    if (this.#unknown.kinds.length === 0) return []
    const { calls, end, problem, behaviour, horizon, state } = this.#position
    const { value } = behaviour
    if (value === null) return this.#unknown.kinds
    const wanted = new Set<number>()
    for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
      if ((problem.invoke[call] as number) >= horizon) break
      const kind = problem.kind[call] as number
      const needs = value.needs[kind] as number
      if (needs !== none) wanted.add(needs)
      // It waits for any other value than the one that is there.
      if (value.denies[kind] === state) return this.#unknown.kinds
    }
    const kinds: number[] = []
    for (const one of wanted) {
      const overwrite = this.#unknown.overwritesGiving.get(one)
      if (overwrite !== undefined) kinds.push(overwrite)
      for (const other of this.#unknown.othersGiving.get(one) ?? []) {
        kinds.push(other)
        const needs = value.needs[other] as number
        if (needs !== none) wanted.add(needs)
      }
    }
    return kinds
  }

  /** The operation of the kind to use next, if it changes the state; `none` otherwise. */
  unknownOf(kind: number): number {
    const { behaviour, state, usedOfKind, horizon } = this.#position
    const after = behaviour.step(state, kind)
    if (after === illegal || after === state) return none
    return this.#unknown.next(kind, usedOfKind[kind] as number, horizon)
  }
}
