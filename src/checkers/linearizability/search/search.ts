import { none } from '../part.js'
import { Choices } from './choices.js'
import { Configurations } from './configurations.js'
import { Frames } from './frames.js'
import { Furthest } from './furthest.js'
import type { Memory } from './memory.js'
import { Position } from './position.js'
import { role, type Problem } from './problem.js'
import { isOnlyState } from './only-state.js'
import { Transitions } from './transitions.js'
import { UnknownOperations } from './unknown-operations.js'
import { UsedUp } from './used-up.js'
import { leadsNowhere } from './viability.js'

export type SearchOutcome = 'linearizable' | 'not-linearizable' | 'open'

/** Operations that happen one after the other in one move. */
const mostInARow = 64

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
 *
 * A history is cut where nothing is in flight. Where only one state is possible there, and no operation of unknown
 * outcome is used up, nothing before matters any more and all of it is let go; elsewhere the states that were met are
 * kept, and of the ways to them what memory allows (see `Configurations`).
 */
export class Search {
  readonly problem: Problem
  readonly #position: Position
  readonly #unknown: UnknownOperations
  readonly #choices: Choices
  readonly #transitions: Transitions
  readonly #usedUp: UsedUp
  readonly #seen: Configurations
  readonly #frames: Frames
  readonly #furthest = new Furthest()
  readonly #memory: Memory
  #stateBytes = 0
  #statesFit = true
  #outcome: SearchOutcome = 'open'
  #explored = 0
  #settled = 0
  /** The position is where only one operation can be next, and has no frame. */
  #isInARow = false

  /** A search whose tables take their memory from `memory`; null when not even the smallest ones fit. */
  static of(problem: Problem, memory: Memory): Search | null {
    const position = Position.of(problem, memory)
    if (position === null) return null
    const search = new Search(position, memory)
    return search.isFull ? null : search
  }

  private constructor(position: Position, memory: Memory) {
    const { problem, open } = position
    this.problem = problem
    this.#memory = memory
    this.#position = position
    const unknown = new UnknownOperations(problem)
    const usedUp = new UsedUp(memory)
    this.#unknown = unknown
    this.#usedUp = usedUp
    this.#transitions = new Transitions(position, { unknown, usedUp })
    this.#choices = new Choices(position, { unknown, isReadWrite: this.#transitions.isReadWrite })
    const worth = () => ({ settled: this.#settled, stretch: position.lastQuiet })
    this.#seen = new Configurations(open.length, { memory, dominates: usedUp.contains, worth })
    this.#frames = new Frames(open.length, memory)
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
    return this.#furthest.operation
  }

  /** States that are possible just before `stuckAt`, in words; up to eight of them. */
  get statesWhenStuck(): readonly string[] {
    return this.stateIdsWhenStuck.map((state) => this.problem.behaviour.describe(state))
  }

  /** The same states as the behaviour knows them. */
  get stateIdsWhenStuck(): readonly number[] {
    return this.#furthest.states
  }

  /** Tries up to `moves` further moves. */
  advance(moves: number): SearchOutcome {
    for (let left = moves; left > 0 && this.#outcome === 'open' && !this.isFull; left -= 1) this.#move()
    return this.#outcome
  }

  #move(): void {
    if (this.#isInARow) {
      this.#goInARow()
      return
    }
    if (this.#frames.depth === 0) {
      this.#outcome = 'not-linearizable'
      return
    }
    const move = this.#choices.next(this.#frames)
    if (move === null) {
      this.#frames.pop()
      this.#back()
    } else if (move < 0) {
      this.#transitions.hide(~move)
      this.#enter()
    } else if (this.#transitions.apply(move)) {
      this.#enter()
    }
  }

  /** Goes on from where the position now is, unless that is known or leads nowhere; else back to the last frame. */
  #enter(): void {
    if (!this.#isThere()) this.#goOn()
  }

  /** Lets the observers happen that can. True when nothing is left to be linearized. */
  #isThere(): boolean {
    const position = this.#position
    position.linearizeObservers(position.state, this.problem.events)
    if (position.forced === position.end) {
      this.#outcome = 'linearizable'
      return true
    }
    this.#explored += 1
    this.#furthest.note(position.horizon, position.forced, position.state)
    this.#bookStates()
    if (isOnlyState(position)) {
      this.#frames.clear()
      position.settle()
      this.#settled = position.horizon
    }
    position.lastAlone = none
    return false
  }

  #goOn(): void {
    const position = this.#position
    const isAlone = this.#isNextAlone()
    // Where there is no way back nothing comes here again.
    const isNew = (isAlone && this.#frames.depth === 0) || this.#isWorthIt()
    if (!isNew) this.#back()
    else if (isAlone) this.#isInARow = true
    else this.#frames.push(position)
  }

  #isWorthIt(): boolean {
    const { horizon, state, open, overwrittenAt, used } = this.#position
    if (leadsNowhere(this.#position, this.#unknown)) return false
    return this.#seen.add(horizon, state, open, overwrittenAt, used)
  }

  /** Whether the operation that returns first is the only move. */
  #isNextAlone(): boolean {
    const { isForcedAlone, forced, horizon, overwrittenAt } = this.#position
    const isHideable = (this.problem.invoke[forced] as number) < overwrittenAt
    return isForcedAlone && !isHideable && horizon <= this.#unknown.from
  }

  /** Makes the only move there is, again and again as long as there is only one. */
  #goInARow(): void {
    const position = this.#position
    const { kind, behaviour } = this.problem
    this.#isInARow = false
    for (let done = 0; done < mostInARow; done += 1) {
      const { forced } = position
      // An observer that fits has happened already.
      const isObserver = behaviour.roles[kind[forced] as number] === role.observer
      if (isObserver || !this.#transitions.apply(forced)) {
        this.#back()
        return
      }
      if (this.#isThere()) return
      if (!this.#isNextAlone()) break
    }
    this.#goOn()
  }

  #back(): void {
    if (this.#frames.depth > 0) this.#frames.restore(this.#position)
  }

  #bookStates(): void {
    const { bytes } = this.problem.behaviour
    if (bytes === this.#stateBytes) return
    this.#statesFit &&= this.#memory.take(bytes - this.#stateBytes)
    this.#stateBytes = bytes
  }
}
