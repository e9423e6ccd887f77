import { never, none } from '../part.js'
import type { Memory } from './memory.js'
import { role, type Behaviour, type Problem } from './problem.js'
import type { Ring } from './ring.js'
import { bytesForTables, tablesOf, type Tables } from './tables.js'

/**
 * Where a search stands: which operations are linearized, and to which state they lead.
 *
 * Everything is changed in place and taken back in reverse order, so that a step costs what it changes.
 */
export class Position {
  readonly problem: Problem
  readonly behaviour: Behaviour
  /** The number of operations; also the head of the rings that have one. */
  readonly end: number
  /** See `Tables`. */
  readonly calls: Ring
  readonly returns: Ring
  readonly givers: Ring | null
  readonly needers: Ring | null
  readonly stillNeeded: Int32Array
  /** By kind: how many operations of unknown outcome were let take effect. */
  readonly usedOfKind: Int32Array
  /** Bits of the linearized operations among those open at the horizon. */
  readonly open: Int32Array
  state: number
  /** Rank of the first return that is not linearized; nothing invoked later can be next. */
  horizon = 0
  /** The horizon at the last overwrite: what was invoked before it may have happened just before that. */
  overwrittenAt = 0
  /** Operations of unknown outcome that were used up, as an id of `UsedUp`. */
  used = 0
  /** The last operation to be linearized of those that no other one overlaps; for whoever asks to put back to `none`. */
  lastAlone = none
  readonly #tables: Tables
  readonly #trail: Int32Array
  #trailLength = 0

  /** Null when its memory is not left. */
  static of(problem: Problem, memory: Memory): Position | null {
    return memory.take(bytesForTables(problem)) ? new Position(problem) : null
  }

  private constructor(problem: Problem) {
    const { count, behaviour } = problem
    this.problem = problem
    this.behaviour = behaviour
    this.end = count
    const tables = tablesOf(problem)
    this.#tables = tables
    this.#trail = new Int32Array(count)
    this.open = new Int32Array(tables.words)
    this.usedOfKind = new Int32Array(behaviour.kinds)
    this.state = behaviour.initial
    this.calls = tables.calls
    this.returns = tables.returns
    this.givers = tables.givers
    this.needers = tables.needers
    this.stillNeeded = tables.stillNeeded
    this.#advance()
  }

  /** The operation that returns first: nothing later can be reached before it is linearized. `end` when none is left. */
  get forced(): number {
    return this.returns.next[this.end] as number
  }

  /** Whether no other completed operation can be next but the one that returns first. */
  get isForcedAlone(): boolean {
    const { next } = this.calls
    const { forced, end } = this
    if (next[end] !== forced) return false
    const other = next[forced] as number
    return other === end || (this.problem.invoke[other] as number) >= this.horizon
  }

  /** Where the horizon's stretch of operations in flight began: the last moment before it without any, as a rank. */
  get lastQuiet(): number {
    let rank = Math.min(this.horizon, this.problem.events - 1)
    while (rank >= 0 && this.#tables.quiet[rank] === 0) rank -= 1
    return rank
  }

  get trailLength(): number {
    return this.#trailLength
  }

  stateAfter(operation: number): number {
    return this.behaviour.step(this.state, this.problem.kind[operation] as number)
  }

  /** Marks an operation as linearized; the state is the caller's. */
  linearize(operation: number): void {
    this.#trail[this.#trailLength] = operation
    this.#trailLength += 1
    const kind = this.problem.kind[operation] as number
    if (this.problem.complete[operation] === never) {
      this.usedOfKind[kind] = (this.usedOfKind[kind] as number) + 1
      return
    }
    const { value } = this.behaviour
    if (value !== null) {
      if (value.gives[kind] !== none) this.givers?.take(operation)
      const needs = value.needs[kind] as number
      if (needs !== none) {
        this.needers?.take(operation)
        this.stillNeeded[needs] = (this.stillNeeded[needs] as number) - 1
      }
    }
    this.calls.take(operation)
    this.returns.take(operation)
    const { slots, alone } = this.#tables
    const slot = slots[operation] as number
    this.open[slot >>> 5] = (this.open[slot >>> 5] as number) | (1 << (slot & 31))
    if (alone[operation] === 1) this.lastAlone = operation
    this.#advance()
  }

  /** Takes back what was linearized since the trail had that length. Horizon, bits and state are the caller's. */
  takeBackTo(trailLength: number): void {
    while (this.#trailLength > trailLength) {
      this.#trailLength -= 1
      this.#takeBack(this.#trail[this.#trailLength] as number)
    }
  }

  /** Makes what was linearized final: it is never taken back. */
  settle(): void {
    this.#trailLength = 0
  }

  #takeBack(operation: number): void {
    const kind = this.problem.kind[operation] as number
    if (this.problem.complete[operation] === never) {
      this.usedOfKind[kind] = (this.usedOfKind[kind] as number) - 1
      return
    }
    const { value } = this.behaviour
    if (value !== null) {
      if (value.gives[kind] !== none) this.givers?.putBack(operation)
      const needs = value.needs[kind] as number
      if (needs !== none) {
        this.needers?.putBack(operation)
        this.stillNeeded[needs] = (this.stillNeeded[needs] as number) + 1
      }
    }
    this.calls.putBack(operation)
    this.returns.putBack(operation)
  }

  /**
   * Linearizes every observer that can be next, was invoked before `limit` and fits the state given. Moving one earlier
   * is always allowed.
   */
  linearizeObservers(state: number, limit: number): void {
    const { next } = this.calls
    const { invoke, kind } = this.problem
    const { behaviour } = this
    for (let call = next[this.end] as number; call !== this.end;) {
      const invoked = invoke[call] as number
      if (invoked >= this.horizon || invoked >= limit) return
      const following = next[call] as number
      const kindOfCall = kind[call] as number
      if (behaviour.roles[kindOfCall] === role.observer && behaviour.step(state, kindOfCall) === state) {
        this.linearize(call)
      }
      call = following
    }
  }

  #advance(): void {
    const { forced } = this
    const { events, slots } = this.#tables
    const horizon = forced === this.end ? this.problem.events : (this.problem.complete[forced] as number)
    for (let rank = this.horizon; rank < horizon; rank += 1) {
      const event = events[rank] as number
      if (event >= 0) continue
      const slot = slots[-event - 1] as number
      this.open[slot >>> 5] = (this.open[slot >>> 5] as number) & ~(1 << (slot & 31))
    }
    this.horizon = horizon
  }
}
