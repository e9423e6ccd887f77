import type { Model, RegisterAction } from '../../models/model.js'
import type { Call, Partition } from './call.js'
import { Configurations } from './configurations.js'
import { OpenCalls } from './open-calls.js'
import { illegal, Transitions } from './transitions.js'
import { UnknownCalls } from './unknown-calls.js'
import { UsedUp } from './used-up.js'

export type SearchOutcome = 'linearizable' | 'not-linearizable' | 'open'

interface Frame {
  readonly state: number
  readonly open: Int32Array
  readonly used: number
  /** Calls linearized so far, this frame's observers included. */
  readonly depth: number
  /** Completed calls as they are numbered; a kind of unknown outcome as `-1 - kind`. */
  readonly moves: readonly number[]
  next: number
}

/**
 * Looks for an order of one object's calls that explains every result: depth first, each configuration once
 * (Wing and Gong, 1993; Lowe, 2016), resumable.
 *
 * A configuration is kept by what is open at the first return that is not linearized, not by the whole history, so its
 * size does not grow with the history. These reductions keep every verdict: an observer that fits the state is
 * linearized at once; of open calls that do the same only the one that returns first is tried; a call of unknown
 * outcome is tried only where it may help (see `UnknownCalls`).
 */
export class Search {
  readonly #completed: readonly Call[]
  readonly #kinds: readonly number[]
  /** Bit of each completed call among those open at one time. */
  readonly #slots: readonly number[]
  /** What each completed call does to a register; empty for other models. */
  readonly #actions: readonly (RegisterAction | null)[]
  readonly #unknown: UnknownCalls
  readonly #lists: OpenCalls
  readonly #transitions: Transitions
  readonly #usedUp = new UsedUp()
  readonly #seen: Configurations
  readonly #frames: Frame[] = []
  readonly #trail: number[] = []
  #outcome: SearchOutcome = 'open'
  #furthest = -1
  #furthestStates = new Set<number>()

  constructor(partition: Partition, model: Model) {
    this.#transitions = new Transitions(model)
    this.#completed = partition.calls.filter((call) => call.complete !== Infinity)
    this.#kinds = this.#completed.map((call) => this.#transitions.kindOf(call))
    this.#actions = this.#completed.map((call) => model.registerAction?.(call.seen) ?? null)
    const unanswered = partition.calls.filter((call) => call.complete === Infinity)
    this.#unknown = new UnknownCalls(unanswered, model, this.#transitions)
    const { slots, count } = slotsOf(this.#completed)
    this.#slots = slots
    const words = Math.max(1, Math.ceil(count / 32))
    this.#lists = new OpenCalls(this.#completed)
    this.#seen = new Configurations(words)
    this.#enter(this.#transitions.initial(partition.key), new Int32Array(words), 0)
  }

  /** Configurations explored so far. */
  get explored(): number {
    return this.#seen.size
  }

  /** Memory that the search holds on to, roughly. */
  get bytes(): number {
    return this.#seen.bytes + this.#transitions.bytes + this.#usedUp.bytes
  }

  /** The first return that no order gets past, once the outcome is `not-linearizable`. */
  get stuckAt(): Call | null {
    const call = this.#lists.byReturn[this.#furthest]
    return call === undefined ? null : (this.#completed[call] ?? null)
  }

  /** States that are possible just before `stuckAt`, in words. */
  get statesWhenStuck(): string[] {
    return [...this.#furthestStates].map((state) => this.#transitions.describe(state))
  }

  /** Tries up to `moves` further moves. */
  advance(moves: number): SearchOutcome {
    for (let left = moves; left > 0 && this.#outcome === 'open'; left -= 1) this.#move()
    return this.#outcome
  }

  #move(): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) {
      this.#outcome = 'not-linearizable'
      return
    }
    this.#undoTo(frame.depth)
    const move = frame.moves[frame.next]
    if (move === undefined) {
      this.#frames.pop()
      return
    }
    frame.next += 1
    if (move < 0) {
      const kind = -1 - move
      const used = this.#usedUp.plus(frame.used, kind)
      this.#enter(this.#transitions.step(frame.state, kind), frame.open.slice(), used)
      return
    }
    const state = this.#transitions.step(frame.state, this.#kinds[move] as number)
    const open = frame.open.slice()
    this.#linearize(move, open)
    this.#enter(state, open, frame.used)
  }

  /** Goes on from a configuration unless it is known. */
  #enter(state: number, open: Int32Array, used: number): void {
    this.#linearizeObservers(state, open)
    const forced = this.#lists.forced
    if (forced === this.#lists.end) {
      this.#outcome = 'linearizable'
      return
    }
    const position = this.#lists.position[forced] as number
    if (!this.#seen.add(position, state, open, used, this.#usedUp.contains)) return
    this.#note(position, state)
    const moves = this.#movesFrom(state, used)
    this.#frames.push({ state, open, used, depth: this.#trail.length, moves, next: 0 })
  }

  #linearizeObservers(state: number, open: Int32Array): void {
    const lists = this.#lists
    for (let call = lists.first; call !== lists.end; call = lists.after(call)) {
      if (this.#isBeyond(call)) return
      if (!(this.#completed[call] as Call).observer) continue
      if (this.#transitions.step(state, this.#kinds[call] as number) === state) this.#linearize(call, open)
    }
  }

  #movesFrom(state: number, used: number): number[] {
    const lists = this.#lists
    const firstOfKind = new Map<number, number>()
    for (let call = lists.first; call !== lists.end && !this.#isBeyond(call); call = lists.after(call)) {
      if ((this.#completed[call] as Call).observer) continue
      const kind = this.#kinds[call] as number
      if (this.#transitions.step(state, kind) === illegal) continue
      const same = firstOfKind.get(kind)
      if (same === undefined || this.#returns(call) < this.#returns(same)) firstOfKind.set(kind, call)
    }
    const moves = [...firstOfKind.values()].sort((a, b) => this.#returns(a) - this.#returns(b))
    if (this.#unknown.isEmpty) return moves
    const limit = (this.#completed[lists.forced] as Call).complete
    const wanted = this.#wanted(state)
    for (const kind of this.#unknown.available(used, { limit, wanted, usedUp: this.#usedUp })) {
      const next = this.#transitions.step(state, kind)
      if (next !== illegal && next !== state) moves.push(-1 - kind)
    }
    return moves
  }

  /** The values that open calls need to find in a register; null when one needs just any other value than it has. */
  #wanted(state: number): Set<string> | null {
    const lists = this.#lists
    const wanted = new Set<string>()
    for (let call = lists.first; call !== lists.end && !this.#isBeyond(call); call = lists.after(call)) {
      const action = this.#actions[call]
      if (action?.reads !== undefined) wanted.add(action.reads)
      const denies = action?.differs !== undefined
      if (denies && this.#transitions.step(state, this.#kinds[call] as number) === illegal) return null
    }
    return wanted
  }

  /** True when the call is invoked after the first return that is not linearized. */
  #isBeyond(call: number): boolean {
    const forced = this.#lists.forced
    if (forced === this.#lists.end) return false
    return (this.#completed[call] as Call).invoke > (this.#completed[forced] as Call).complete
  }

  #returns(call: number): number {
    return this.#lists.position[call] as number
  }

  #linearize(call: number, open: Int32Array): void {
    const lists = this.#lists
    const from = lists.position[lists.forced] as number
    lists.take(call)
    this.#trail.push(call)
    setBit(open, this.#slots[call] as number)
    const to = lists.position[lists.forced] as number
    for (let place = from; place < to; place += 1) {
      clearBit(open, this.#slots[lists.byReturn[place] as number] as number)
    }
  }

  #undoTo(depth: number): void {
    while (this.#trail.length > depth) this.#lists.putBack(this.#trail.pop() as number)
  }

  #note(position: number, state: number): void {
    if (position < this.#furthest) return
    if (position > this.#furthest) this.#furthestStates = new Set()
    this.#furthest = position
    if (this.#furthestStates.size < 8) this.#furthestStates.add(state)
  }
}

/** A bit that is free from invocation to return, for each of the completed calls in order of invocation. */
function slotsOf(calls: readonly Call[]): { slots: number[]; count: number } {
  const events = calls.flatMap((call, index) => [
    { at: call.invoke, index, returns: false },
    { at: call.complete, index, returns: true },
  ])
  events.sort((a, b) => a.at - b.at)
  const slots = new Array<number>(calls.length).fill(0)
  const free: number[] = []
  let count = 0
  for (const { index, returns } of events) {
    if (returns) free.push(slots[index] as number)
    else slots[index] = free.pop() ?? count++
  }
  return { slots, count }
}

function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31))
}

function clearBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] as number) & ~(1 << (bit & 31))
}
