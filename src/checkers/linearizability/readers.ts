import type { Model, RegisterAction } from '../../models/model.js'
import type { Call } from './call.js'

/**
 * For a history of one register: every call that may, in some order that fits real time, be the next to meet what the
 * given call left there, and on through those that write in turn.
 *
 * Where all of these are left out together with it, whatever order explained the history still explains the rest,
 * because every call that stays still follows the write that it followed. That is what makes leaving out sound.
 */
export class Readers {
  readonly #actions = new Map<Call, RegisterAction>()
  readonly #readersOf = new Map<string, Timeline>()
  readonly #deniers = new Timeline()
  /** For each call: a write wholly before the call began at or after this rank hides every write that ended before it. */
  readonly #hiddenBefore = new Map<Call, number>()

  /** `calls` are in order of invocation. Null when the model is not one of a single value. */
  static of(calls: readonly Call[], model: Model): Readers | null {
    if (!model.registerAction) return null
    const readers = new Readers()
    for (const call of calls) {
      const action = model.registerAction(call.seen)
      if (action === null) continue
      readers.#actions.set(call, action)
    }
    readers.#findHidden(calls)
    for (const [call, { reads, differs }] of readers.#actions) {
      if (differs !== undefined) readers.#deniers.add(call, readers.hiddenBefore(call))
      if (reads === undefined) continue
      const timeline = readers.#readersOf.get(reads) ?? new Timeline()
      timeline.add(call, readers.hiddenBefore(call))
      readers.#readersOf.set(reads, timeline)
    }
    return readers
  }

  writes(call: Call): string | undefined {
    return this.#actions.get(call)?.writes
  }

  reads(call: Call): string | undefined {
    return this.#actions.get(call)?.reads
  }

  /** The calls and everything that may depend on them. */
  closure(calls: readonly Call[]): Set<Call> {
    const all = new Set(calls)
    for (const call of all) {
      const value = this.writes(call)
      if (value === undefined) continue
      for (const timeline of [this.#readersOf.get(value), this.#deniers]) {
        for (const reader of timeline?.around(call) ?? []) if (this.mayMeet(call, reader)) all.add(reader)
      }
    }
    return all
  }

  /** True unless real time puts the reader before the write, or another write wholly between them. */
  mayMeet(write: Call, reader: Call): boolean {
    return write !== reader && write.invoke < reader.complete && write.complete >= this.hiddenBefore(reader)
  }

  /** Writes that returned before this rank cannot be what the call met. */
  hiddenBefore(call: Call): number {
    return this.#hiddenBefore.get(call) ?? -1
  }

  #findHidden(calls: readonly Call[]): void {
    const overwrites = calls
      .filter((call) => call.complete !== Infinity && this.writes(call) !== undefined)
      .sort((a, b) => a.complete - b.complete)
    let latest = -1
    let next = 0
    // Calls come in order of invocation, so the overwrites that returned before each one only grow.
    for (const call of calls) {
      for (; next < overwrites.length && (overwrites[next] as Call).complete < call.invoke; next += 1) {
        latest = Math.max(latest, (overwrites[next] as Call).invoke)
      }
      this.#hiddenBefore.set(call, latest)
    }
  }
}

/** Calls in order of invocation, of which those near a write are found without going through all. */
class Timeline {
  readonly #calls: Call[] = []
  /** Never falls along the list. */
  readonly #hiddenBefore: number[] = []
  readonly #latestReturn: number[] = []

  add(call: Call, hiddenBefore: number): void {
    this.#latestReturn.push(Math.max(call.complete, this.#latestReturn.at(-1) ?? -1))
    this.#calls.push(call)
    this.#hiddenBefore.push(hiddenBefore)
  }

  /** A few calls more than those that may meet the write. */
  *around(write: Call): Generator<Call> {
    let low = 0
    let high = this.#calls.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#hiddenBefore[middle] as number) <= write.complete) low = middle + 1
      else high = middle
    }
    for (let at = low - 1; at >= 0 && (this.#latestReturn[at] as number) > write.invoke; at -= 1) {
      yield this.#calls[at] as Call
    }
  }
}
