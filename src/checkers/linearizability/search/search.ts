import { never, none } from '../part.js'
import { Candidates } from './candidates.js'
import { Configurations } from './configurations.js'
import { Frames } from './frames.js'
import type { Memory } from './memory.js'
import { Moves } from './moves.js'
import { Position } from './position.js'
import { illegal, role, type Problem, type ValueUse } from './problem.js'
import { UnknownOperations } from './unknown-operations.js'
import { UsedUp } from './used-up.js'

export type SearchOutcome = 'linearizable' | 'not-linearizable' | 'open'

/** Phases of a frame; below these its phase is the number of preferred moves that were tried. */
const phase = { completed: 100, unknown: 101 } as const
const mostStates = 8
/** How far to look for an observer that shows that a state leads nowhere. */
const lookahead = 32

/**
 * Looks for an order of one object's operations that explains every result: depth first, each configuration once
 * (Wing and Gong, 1993; Lowe, 2016), iterative and resumable.
 *
 * A configuration is kept by what is open at the first return that is not linearized, not by the whole history, so its
 * size does not grow with the history. These reductions keep every verdict:
 *
 * - an observer that fits the state is linearized at once;
 * - of open operations that do the same only the one that returns first is tried;
 * - an overwrite invoked before the last overwrite may be hidden: it goes just before that one, and leaves the state;
 * - on an object of one value, an open overwrite whose value nobody needs goes just before the next overwrite;
 * - an operation of unknown outcome is used only where it may help, and a configuration that used up more of them than
 *   another one otherwise the same is not pursued.
 */
export class Search {
  readonly problem: Problem
  readonly #position: Position
  readonly #unknown: UnknownOperations
  readonly #moves: Moves
  readonly #candidates: Candidates
  readonly #usedUp: UsedUp
  readonly #seen: Configurations
  readonly #frames: Frames
  /** Set for objects of one value where nobody needs just any other value: then overwrites nobody needs may go. */
  readonly #dropping: ValueUse | null
  readonly #isReadWrite: boolean
  readonly #memory: Memory
  #stateBytes = 0
  #statesFit = true
  #outcome: SearchOutcome = 'open'
  #explored = 0
  #furthest = -1
  #furthestOperation = none
  readonly #furthestStates = new Set<number>()

  /** A search whose tables take their memory from `memory`; null when not even the smallest ones fit. */
  static of(problem: Problem, memory: Memory): Search | null {
    const position = Position.of(problem, memory)
    if (position === null) return null
    const search = new Search(position, memory)
    return search.isFull ? null : search
  }

  private constructor(position: Position, memory: Memory) {
    const { problem, behaviour, open } = position
    this.problem = problem
    this.#memory = memory
    this.#position = position
    this.#unknown = new UnknownOperations(problem)
    this.#moves = new Moves(position, this.#unknown)
    this.#candidates = new Candidates(position, this.#unknown)
    const usedUp = new UsedUp(memory)
    this.#usedUp = usedUp
    this.#seen = new Configurations(open.length, { memory, dominates: usedUp.contains })
    this.#frames = new Frames(open.length, memory)
    const { value } = behaviour
    this.#dropping = value?.denies.every((denied) => denied === none) ? value : null
    this.#isReadWrite = this.#dropping !== null && !behaviour.roles.includes(role.other)
    if (!this.isFull) this.#enter()
  }

  /** Configurations explored so far. */
  get explored(): number {
    return this.#explored
  }

  /** True once it cannot go on because its memory is not left; the outcome is `open` then. */
  get isFull(): boolean {
    return !this.#statesFit || this.#seen.isFull || this.#frames.isFull || this.#usedUp.isFull
  }

  /** The operation whose return no order gets past, once the outcome is `not-linearizable`; until then the furthest. */
  get stuckAt(): number {
    return this.#furthestOperation
  }

  /** States that are possible just before `stuckAt`, in words; up to eight of them. */
  get statesWhenStuck(): readonly string[] {
    return [...this.#furthestStates].map((state) => this.problem.behaviour.describe(state))
  }

  /** The same states as the behaviour knows them. */
  get stateIdsWhenStuck(): readonly number[] {
    return [...this.#furthestStates]
  }

  /** Tries up to `moves` further moves. */
  advance(moves: number): SearchOutcome {
    for (let left = moves; left > 0 && this.#outcome === 'open' && !this.isFull; left -= 1) this.#move()
    return this.#outcome
  }

  #move(): void {
    const frames = this.#frames
    if (frames.depth === 0) {
      this.#outcome = 'not-linearizable'
      return
    }
    const tried = frames.phase
    if (tried < phase.completed) {
      const preferred = this.#moves.preferred()
      const move = preferred[tried]
      frames.phase = tried + 1
      if (move !== undefined) {
        if (move < 0) this.#hide(~move)
        else this.#apply(move)
        return
      }
      if (this.#isReadWrite && this.#isForcedReader()) {
        this.#pop()
        return
      }
      frames.phase = phase.completed
      frames.cursor = none
    }
    if (frames.phase === phase.completed) {
      const next = this.#candidates.completedAfter(frames.cursor)
      if (next !== none) {
        frames.cursor = next
        this.#apply(next)
        return
      }
      frames.phase = phase.unknown
      frames.cursor = 0
    }
    this.#moveUnknown()
  }

  #moveUnknown(): void {
    const frames = this.#frames
    const kinds = this.#candidates.unknownKinds()
    for (let place = frames.cursor; place < kinds.length; place += 1) {
      const next = this.#candidates.unknownOf(kinds[place] as number)
      if (next === none) continue
      frames.cursor = place + 1
      this.#apply(next)
      return
    }
    this.#pop()
  }

  /** Only a write of the value that it read helps a reader, and of these the preferred moves have the best. */
  #isForcedReader(): boolean {
    const { behaviour, forced } = this.#position
    return behaviour.roles[this.problem.kind[forced] as number] === role.observer
  }

  /** Lets an operation happen now. */
  #apply(operation: number): void {
    const position = this.#position
    const kind = this.problem.kind[operation] as number
    const after = position.behaviour.step(position.state, kind)
    if (after === illegal) return
    const isOverwrite = position.behaviour.roles[kind] === role.overwrite
    if (this.problem.complete[operation] === never) {
      if ((after === position.state && !isOverwrite) || !this.#isUseful(after)) return
      this.#useUp(kind)
    }
    if (isOverwrite) {
      this.#dropUseless(operation)
      position.overwrittenAt = position.horizon
    }
    position.linearize(operation)
    position.state = after
    this.#enter()
  }

  /** Lets an overwrite happen just before the last one, with the observers of what it left. */
  #hide(operation: number): void {
    const position = this.#position
    const kind = this.problem.kind[operation] as number
    if (this.problem.complete[operation] === never) this.#useUp(kind)
    position.linearize(operation)
    position.linearizeObservers(position.behaviour.step(position.state, kind), position.overwrittenAt)
    this.#enter()
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
    const { invoke, kind } = this.problem
    for (let call = next[position.end] as number; call !== position.end;) {
      if ((invoke[call] as number) >= position.horizon) return
      const following = next[call] as number
      const its = kind[call] as number
      const isOverwrite = position.behaviour.roles[its] === role.overwrite
      if (call !== except && isOverwrite && !this.#isUseful(gives[its] as number)) position.linearize(call)
      call = following
    }
  }

  /** Goes on from where the position now is, unless that is known or leads nowhere; else back to the last frame. */
  #enter(): void {
    const position = this.#position
    position.linearizeObservers(position.state, this.problem.events)
    if (position.forced === position.end) {
      this.#outcome = 'linearizable'
      return
    }
    this.#explored += 1
    const { horizon, state, open, overwrittenAt, used } = position
    this.#note(horizon, state)
    this.#bookStates()
    if (this.#leadsNowhere() || !this.#seen.add(horizon, state, open, overwrittenAt, used)) {
      if (this.#frames.depth > 0) this.#frames.restore(position)
      return
    }
    this.#frames.push(position)
  }

  #pop(): void {
    this.#frames.pop()
    if (this.#frames.depth > 0) this.#frames.restore(this.#position)
  }

  /** Whether the state cannot become what an observer needs, and nothing can overwrite it before that returns. */
  #leadsNowhere(): boolean {
    const { behaviour, returns, calls, end, state, usedOfKind } = this.#position
    if (behaviour.leadsTo === undefined) return false
    const { kind, invoke, complete } = this.problem
    let observer = returns.next[end] as number
    for (let looked = 0; observer !== end; looked += 1) {
      if (looked === lookahead) return false
      if (behaviour.roles[kind[observer] as number] === role.observer) break
      observer = returns.next[observer] as number
    }
    if (observer === end || behaviour.leadsTo(state, kind[observer] as number)) return false
    const limit = complete[observer] as number
    for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
      if ((invoke[call] as number) >= limit) break
      if (behaviour.roles[kind[call] as number] === role.overwrite) return false
    }
    return !this.#unknown.kinds.some((its) => {
      if (behaviour.roles[its] !== role.overwrite) return false
      return this.#unknown.next(its, usedOfKind[its] as number, limit) !== none
    })
  }

  #bookStates(): void {
    const { bytes } = this.problem.behaviour
    if (bytes === this.#stateBytes) return
    this.#statesFit &&= this.#memory.take(bytes - this.#stateBytes)
    this.#stateBytes = bytes
  }

  #note(horizon: number, state: number): void {
    if (horizon < this.#furthest) return
    if (horizon > this.#furthest) {
      this.#furthestStates.clear()
      this.#furthestOperation = this.#position.forced
    }
    this.#furthest = horizon
    if (this.#furthestStates.size < mostStates) this.#furthestStates.add(state)
  }
}
