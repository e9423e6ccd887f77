import { never, none } from '../part.js'
import type { Memory } from './memory.js'
import { role, type Behaviour, type Problem } from './problem.js'
import { Ring } from './ring.js'
import { timelineOf } from './timeline.js'

/** Bytes for each operation, value, event and kind of the tables of a search that are there from the start. */
const bytesPerOperation = 32
const bytesPerOperationOfValue = 16
const bytesPerValue = 20
const bytesPerEvent = 4
const bytesPerKind = 30
/** Measured on V8: an element of a short list in a map. */
const bytesPerUnknown = 200

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
  /** Completed operations that are not linearized, by invocation and by return. */
  readonly calls: Ring
  readonly returns: Ring
  /** By value, with heads `end + value`: those of them that leave it, by invocation, and that need it, by return. */
  readonly givers: Ring | null
  readonly needers: Ring | null
  /** By value: how many completed operations that are not linearized need it. */
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
  readonly #events: Int32Array
  readonly #slots: Int32Array
  readonly #trail: Int32Array
  #trailLength = 0

  /** The memory that the tables for a problem take from the start. */
  static bytesFor({ count, complete, events, behaviour }: Problem): number {
    const { value, kinds } = behaviour
    let unknown = 0
    for (const end of complete) if (end === never) unknown += 1
    const byValue = value === null ? 0 : count * bytesPerOperationOfValue + value.values * bytesPerValue
    return (
      count * bytesPerOperation +
      byValue +
      events * bytesPerEvent +
      kinds * bytesPerKind +
      unknown * bytesPerUnknown
    )
  }

  /** Null when its memory is not left. */
  static of(problem: Problem, memory: Memory): Position | null {
    return memory.take(Position.bytesFor(problem)) ? new Position(problem) : null
  }

  private constructor(problem: Problem) {
    const { count, complete, kind, behaviour } = problem
    this.problem = problem
    this.behaviour = behaviour
    this.end = count
    const { events, slots, words } = timelineOf(problem)
    this.#events = events
    this.#slots = slots
    this.#trail = new Int32Array(count)
    this.open = new Int32Array(words)
    this.usedOfKind = new Int32Array(behaviour.kinds)
    this.state = behaviour.initial
    this.calls = new Ring(count, 1)
    this.returns = new Ring(count, 1)
    const { value } = behaviour
    this.givers = value && new Ring(count, value.values)
    this.needers = value && new Ring(count, value.values)
    this.stillNeeded = new Int32Array(value?.values ?? 0)
    for (const event of events) {
      if (event > 0) {
        const operation = event - 1
        if (complete[operation] === never) continue
        this.calls.append(count, operation)
        const gives = value?.gives[kind[operation] as number] ?? none
        if (gives !== none) this.givers?.append(count + gives, operation)
      } else if (event < 0) {
        const operation = -event - 1
        this.returns.append(count, operation)
        const needs = value?.needs[kind[operation] as number] ?? none
        if (needs === none) continue
        this.needers?.append(count + needs, operation)
        this.stillNeeded[needs] = (this.stillNeeded[needs] as number) + 1
      }
    }
    this.#advance()
  }

  /** The operation that returns first: nothing later can be reached before it is linearized. `end` when none is left. */
  get forced(): number {
    return this.returns.next[this.end] as number
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
    const slot = this.#slots[operation] as number
    this.open[slot >>> 5] = (this.open[slot >>> 5] as number) | (1 << (slot & 31))
    this.#advance()
  }

  /** Takes back what was linearized since the trail had that length. Horizon, bits and state are the caller's. */
  takeBackTo(trailLength: number): void {
    while (this.#trailLength > trailLength) {
      this.#trailLength -= 1
      this.#takeBack(this.#trail[this.#trailLength] as number)
    }
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
    const horizon = forced === this.end ? this.problem.events : (this.problem.complete[forced] as number)
    for (let rank = this.horizon; rank < horizon; rank += 1) {
      const event = this.#events[rank] as number
      if (event >= 0) continue
      const slot = this.#slots[-event - 1] as number
      this.open[slot >>> 5] = (this.open[slot >>> 5] as number) & ~(1 << (slot & 31))
    }
    this.horizon = horizon
  }
}
