import type { Pacer } from '../pacer.js'
import { illegal } from '../linearizability/search/problem.js'
import type { Call } from './calls.js'
import { initialValue, noSource, type ReadsFrom } from './reads-from.js'
import type { Sessions } from './sessions.js'
import { Steps } from './steps.js'
import { TupleSet } from './tuple-set.js'
import type { Model } from '../../models/model.js'

const movesPerBreath = 200

export type OrderOutcome = 'ordered' | 'no-order' | 'open'

/** What to look for an order of. */
export interface Ordering {
  readonly calls: readonly Call[]
  readonly model: Model
  readonly sessions: Sessions
  /** Null when it is not plain who wrote what. */
  readonly reads: ReadsFrom | null
  /** Pairs of calls of which the first must come first. */
  readonly edges: readonly (readonly [number, number])[]
}

/** A call that was placed, and what its object was before: its state, and who wrote that. */
interface Placed {
  readonly call: number
  readonly state: number
  readonly writer: number
}

interface Frame {
  readonly trail: number
  readonly moves: readonly number[]
  next: number
}

/**
 * Looks for one order of all calls that keeps the sessions and that the model allows: depth first over how far each
 * session has come, each combination of that and of the objects' states once.
 *
 * An observer that fits is placed at once. Where it is plain who wrote what, a value is not overwritten while someone
 * is still to meet it, since it never comes back.
 */
export class OrderSearch {
  readonly #ordering: Ordering
  readonly #steps: Steps
  readonly #seen: TupleSet
  readonly #successors: number[][]
  /** By call: how many calls of other sessions must still come first. */
  readonly #waiting: Int32Array
  readonly #required: readonly boolean[]
  /** By session: the place of the next call. Then by object: its state. */
  readonly #now: Int32Array
  /** By call: how many calls are still to meet what it wrote; then by object the same of its initial value. */
  readonly #readersLeft: Int32Array
  readonly #lastWriter: Int32Array
  readonly #object: Int32Array
  readonly #trail: Placed[] = []
  readonly #frames: Frame[] = []
  #left = 0
  #outcome: OrderOutcome = 'open'

  constructor(ordering: Ordering, memoryBytes: number) {
    const { calls, model, sessions, reads, edges } = ordering
    this.#ordering = ordering
    this.#steps = new Steps(calls, model)
    this.#object = this.#steps.object
    const objects = this.#steps.objects
    this.#required = reads?.happened ?? calls.map(({ isCertain }) => isCertain)
    this.#seen = new TupleSet(sessions.count + objects, memoryBytes)
    this.#now = new Int32Array(sessions.count + objects)
    for (let object = 0; object < objects; object += 1) {
      this.#now[sessions.count + object] = this.#steps.initial(object)
    }
    this.#lastWriter = new Int32Array(objects).fill(initialValue)
    this.#readersLeft = new Int32Array(calls.length + objects)
    this.#successors = calls.map(() => [])
    this.#waiting = new Int32Array(calls.length)
    for (const [from, to] of edges) this.#link(from, to)
    for (const [to, from] of sessions.after.entries()) if (from >= 0) this.#link(from, to)
    for (const call of calls.keys()) {
      if (this.#required[call]) this.#left += 1
      const source = reads?.source[call] ?? noSource
      if (source === noSource || !this.#required[call]) continue
      const place = source === initialValue ? calls.length + (this.#object[call] as number) : source
      this.#readersLeft[place] = (this.#readersLeft[place] as number) + 1
      if (source !== initialValue) this.#link(source, call)
    }
    this.#enter()
  }

  /** Configurations explored. */
  get explored(): number {
    return this.#seen.size
  }

  get isFull(): boolean {
    return this.#seen.isFull
  }

  /** Goes on until it is decided, or time or memory run out. Tells in between how much it has explored. */
  async run(pacer: Pacer, onExplored?: (configurations: number) => void): Promise<OrderOutcome> {
    while (this.#outcome === 'open' && !this.isFull && pacer.spent === null) {
      for (let moves = 0; moves < movesPerBreath && this.#outcome === 'open'; moves += 1) this.#move()
      onExplored?.(this.explored)
      await pacer.breathe()
    }
    return this.#outcome
  }

  #link(from: number, to: number): void {
    this.#successors[from]?.push(to)
    this.#waiting[to] = (this.#waiting[to] as number) + 1
  }

  #move(): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) {
      this.#outcome = 'no-order'
      return
    }
    this.#undoTo(frame.trail)
    const move = frame.moves[frame.next]
    if (move === undefined) {
      this.#frames.pop()
      return
    }
    frame.next += 1
    this.#place(move)
    this.#enter()
  }

  #enter(): void {
    this.#placeObservers()
    if (this.#left === 0) {
      this.#outcome = 'ordered'
      return
    }
    if (!this.#seen.add(this.#now)) return
    this.#frames.push({ trail: this.#trail.length, moves: this.#moves(), next: 0 })
  }

  /** The next call of the session, if nothing else must come first; -1 otherwise. */
  #nextOf(session: number): number {
    const call = this.#ordering.sessions.members[session]?.[this.#now[session] as number]
    return call === undefined || (this.#waiting[call] as number) > 0 ? -1 : call
  }

  #placeObservers(): void {
    const { calls, sessions } = this.#ordering
    for (let again = true; again;) {
      again = false
      for (let session = 0; session < sessions.count; session += 1) {
        for (let call = this.#nextOf(session); call >= 0; call = this.#nextOf(session)) {
          if (!calls[call]?.isObserver || this.#stateAfter(call) === illegal) break
          this.#place(call)
          again = true
        }
      }
    }
  }

  #moves(): number[] {
    const { calls, sessions } = this.#ordering
    const moves: number[] = []
    for (let session = 0; session < sessions.count; session += 1) {
      const call = this.#nextOf(session)
      if (call < 0 || calls[call]?.isObserver || this.#hidesWanted(call)) continue
      const after = this.#stateAfter(call)
      if (after === illegal) continue
      if (!this.#required[call] && (this.#isLeftOut(call) || after === this.#stateOf(call))) continue
      moves.push(call)
    }
    return moves.sort((a, b) => a - b)
  }

  /** Whether someone else is still to meet what the call would overwrite. */
  #hidesWanted(call: number): boolean {
    const { reads, calls } = this.#ordering
    if (!reads?.writes[call]) return false
    const object = this.#object[call] as number
    const writer = this.#lastWriter[object] as number
    const place = writer === initialValue ? calls.length + object : writer
    const own = reads.source[call] === writer ? 1 : 0
    return (this.#readersLeft[place] as number) > own
  }

  /** Of unknown outcome and met by nobody, where that is plain: it need not have happened. */
  #isLeftOut(call: number): boolean {
    return this.#ordering.reads !== null && !this.#required[call]
  }

  #stateOf(call: number): number {
    return this.#now[this.#ordering.sessions.count + (this.#object[call] as number)] as number
  }

  #stateAfter(call: number): number {
    return this.#steps.step(this.#stateOf(call), call)
  }

  #place(call: number): void {
    const { sessions, reads } = this.#ordering
    const object = this.#object[call] as number
    const state = this.#stateOf(call)
    this.#trail.push({ call, state, writer: this.#lastWriter[object] as number })
    this.#now[sessions.count + object] = this.#stateAfter(call)
    this.#count(call, -1)
    if (reads?.writes[call]) this.#lastWriter[object] = call
  }

  #undoTo(length: number): void {
    while (this.#trail.length > length) {
      const { call, state, writer } = this.#trail.pop() as Placed
      const object = this.#object[call] as number
      this.#now[this.#ordering.sessions.count + object] = state
      this.#lastWriter[object] = writer
      this.#count(call, 1)
    }
  }

  /** Counts a call as placed (-1) or not (1). */
  #count(call: number, by: -1 | 1): void {
    const { sessions, reads, calls } = this.#ordering
    const session = sessions.session[call] as number
    this.#now[session] = (this.#now[session] as number) - by
    for (const to of this.#successors[call] as number[])
      this.#waiting[to] = (this.#waiting[to] as number) + by
    if (this.#required[call]) this.#left += by
    const source = reads?.source[call] ?? noSource
    if (source === noSource || !this.#required[call]) return
    const place = source === initialValue ? calls.length + (this.#object[call] as number) : source
    this.#readersLeft[place] = (this.#readersLeft[place] as number) + by
  }
}
