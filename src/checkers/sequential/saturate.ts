import type { Call } from './calls.js'
import { initialValue, noSource, type ReadsFrom } from './reads-from.js'
import type { Sessions } from './sessions.js'

/** Beyond this many entries the clocks are not computed. */
const mostClockEntries = 50_000_000

export type Saturated =
  /** What must come before what, besides sessions and reads, as pairs of calls. */
  | { readonly outcome: 'ordered'; readonly edges: readonly (readonly [number, number])[] }
  /** Calls that must each come before the next one, and the last before the first. */
  | { readonly outcome: 'cycle'; readonly cycle: readonly number[] }
  | { readonly outcome: 'too-large' }

/**
 * What must come before what in any order that keeps the sessions, where it is plain who wrote what each call met:
 *
 * - a call comes after the one that wrote what it met;
 * - a write that comes before a reader, and is not the one it met, comes before that one;
 * - a write that comes after the one that a reader met comes after the reader.
 *
 * A cycle refutes sequential consistency. That there is none does not prove it (Gibbons and Korach, 1997: NP-complete),
 * though a history is rarely without a cycle and without an order.
 */
export function saturate(
  calls: readonly Call[],
  { sessions, reads }: { sessions: Sessions; reads: ReadsFrom },
): Saturated {
  if (calls.length * sessions.count > mostClockEntries) return { outcome: 'too-large' }
  const graph = new Graph(calls, { sessions, reads })
  for (;;) {
    const cycle = graph.computeClocks()
    if (cycle !== null) return { outcome: 'cycle', cycle }
    if (!graph.addDerived()) return { outcome: 'ordered', edges: graph.derived }
  }
}

type WritesBySession = Map<number, number[]>

class Graph {
  readonly derived: [number, number][] = []
  readonly #sessions: Sessions
  readonly #reads: ReadsFrom
  readonly #successors: number[][]
  /** By call and session: the place of the last call of the session that comes before it or is it. */
  readonly #clocks: Int32Array
  readonly #writesTo = new Map<Call['key'], WritesBySession>()
  readonly #readers: { readonly reader: number; readonly writes: WritesBySession }[] = []

  constructor(calls: readonly Call[], { sessions, reads }: { sessions: Sessions; reads: ReadsFrom }) {
    this.#sessions = sessions
    this.#reads = reads
    this.#successors = calls.map(() => [])
    this.#clocks = new Int32Array(calls.length * sessions.count)
    const keys = calls.map(({ key }) => this.#writesOfKey(key))
    for (const its of sessions.members) {
      let before = -1
      for (const call of its) {
        if (!reads.happened[call]) continue
        if (before >= 0) this.#link(before, call)
        before = call
        if (reads.writes[call]) this.#enterWrite(keys[call] as WritesBySession, call)
      }
    }
    for (let call = 0; call < calls.length; call += 1) {
      if (!reads.happened[call]) continue
      const after = sessions.after[call] as number
      if (after >= 0 && reads.happened[after]) this.#link(after, call)
      const source = reads.source[call] as number
      if (source === noSource) continue
      this.#readers.push({ reader: call, writes: keys[call] as WritesBySession })
      if (source !== initialValue) this.#link(source, call)
    }
  }

  /** Says for every call what comes before it. Returns a cycle when there is one. */
  computeClocks(): number[] | null {
    const { count, session, place } = this.#sessions
    const clocks = this.#clocks.fill(-1)
    const left = new Int32Array(this.#successors.length)
    for (const its of this.#successors) for (const to of its) left[to] = (left[to] as number) + 1
    const ready = [...left.keys()].filter((call) => left[call] === 0)
    let done = 0
    for (let call = ready.pop(); call !== undefined; call = ready.pop()) {
      done += 1
      const base = call * count
      clocks[base + (session[call] as number)] = place[call] as number
      for (const to of this.#successors[call] as number[]) {
        const target = to * count
        for (let one = 0; one < count; one += 1) {
          const seen = clocks[base + one] as number
          if (seen > (clocks[target + one] as number)) clocks[target + one] = seen
        }
        left[to] = (left[to] as number) - 1
        if (left[to] === 0) ready.push(to)
      }
    }
    return done === left.length ? null : this.#cycleAmong(left)
  }

  /** Adds what follows from the clocks. False when that is nothing. */
  addDerived(): boolean {
    const before = this.derived.length
    for (const { reader, writes } of this.#readers) {
      const source = this.#reads.source[reader] as number
      for (const [session, its] of writes) {
        const earlier = this.#lastBefore(reader, session, its)
        if (earlier >= 0 && earlier !== source) {
          if (source === initialValue) this.#derive(reader, earlier)
          else this.#derive(earlier, source)
        }
        const later = source === initialValue ? (its[0] as number) : this.#firstAfter(source, its)
        if (later >= 0 && later !== reader) this.#derive(reader, later)
      }
    }
    return this.derived.length > before
  }

  /** Whether one call is known to come before another. */
  #comesBefore(a: number, b: number): boolean {
    const { count, session, place } = this.#sessions
    return (this.#clocks[b * count + (session[a] as number)] as number) >= (place[a] as number)
  }

  #derive(from: number, to: number): void {
    if (this.#comesBefore(from, to)) return
    this.derived.push([from, to])
    this.#link(from, to)
  }

  /** The last of a session's writes, other than the reader itself, that comes before the reader; -1 for none. */
  #lastBefore(reader: number, session: number, writes: readonly number[]): number {
    const { count, place } = this.#sessions
    const own = this.#sessions.session[reader] === session ? 1 : 0
    const latest = (this.#clocks[reader * count + session] as number) - own
    let low = 0
    let high = writes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((place[writes[middle] as number] as number) <= latest) low = middle + 1
      else high = middle
    }
    return writes[low - 1] ?? -1
  }

  /** The first of a session's writes that comes after the call; -1 for none. */
  #firstAfter(call: number, writes: readonly number[]): number {
    let low = 0
    let high = writes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const write = writes[middle] as number
      if (write !== call && this.#comesBefore(call, write)) high = middle
      else low = middle + 1
    }
    return writes[low] ?? -1
  }

  #cycleAmong(left: Int32Array): number[] {
    const inCycles = (call: number) => (left[call] as number) > 0
    const predecessors = new Map<number, number>()
    for (const [from, its] of this.#successors.entries()) {
      if (inCycles(from)) for (const to of its) if (inCycles(to)) predecessors.set(to, from)
    }
    const path: number[] = []
    const at = new Map<number, number>()
    let call = left.findIndex((count) => count > 0)
    while (!at.has(call)) {
      at.set(call, path.push(call) - 1)
      call = predecessors.get(call) as number
    }
    return path.slice(at.get(call)).toReversed()
  }

  #link(from: number, to: number): void {
    this.#successors[from]?.push(to)
  }

  #writesOfKey(key: Call['key']): WritesBySession {
    const known = this.#writesTo.get(key)
    if (known) return known
    const writes: WritesBySession = new Map()
    this.#writesTo.set(key, writes)
    return writes
  }

  #enterWrite(writes: WritesBySession, call: number): void {
    const session = this.#sessions.session[call] as number
    const its = writes.get(session)
    if (its) its.push(call)
    else writes.set(session, [call])
  }
}
