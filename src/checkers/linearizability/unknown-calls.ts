import type { Model } from '../../models/model.js'
import type { Call } from './call.js'
import type { Transitions } from './transitions.js'
import type { UsedUp } from './used-up.js'

interface UnknownKind {
  readonly kind: number
  /** Ranks of invocation, ascending: calls that do the same are used in this order. */
  readonly invocations: number[]
  readonly reads: string | undefined
  readonly writes: string | undefined
}

/**
 * The calls of unknown outcome, of which any number may take effect.
 *
 * On a register one is let take effect only where a call that is open then needs what it writes: in any order one that
 * nobody needs can be left out, and the others can wait until just before the first call that needs them.
 */
export class UnknownCalls {
  readonly #kinds = new Map<number, UnknownKind>()
  readonly #isRegister: boolean

  constructor(calls: readonly Call[], model: Model, transitions: Transitions) {
    this.#isRegister = model.registerAction !== undefined
    for (const call of calls) {
      const kind = transitions.kindOf(call)
      const same = this.#kinds.get(kind)
      if (same) {
        same.invocations.push(call.invoke)
        continue
      }
      const action = model.registerAction?.(call.seen)
      this.#kinds.set(kind, {
        kind,
        invocations: [call.invoke],
        reads: action?.reads,
        writes: action?.writes,
      })
    }
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0
  }

  /**
   * The kinds of which a call invoked before `limit` is left and may be needed. `wanted` are the values that open calls
   * need, or null when any change may be needed.
   */
  available(
    used: number,
    { limit, wanted, usedUp }: { limit: number; wanted: ReadonlySet<string> | null; usedUp: UsedUp },
  ): number[] {
    const left = [...this.#kinds.values()].filter(({ kind, invocations }) => {
      const next = invocations[usedUp.count(used, kind)]
      return next !== undefined && next < limit
    })
    if (wanted === null || !this.#isRegister) return left.map(({ kind }) => kind)
    const needed = new Set(wanted)
    // What an unknown CAS needs in order to write a needed value is needed too.
    for (const value of needed) {
      for (const { reads, writes } of left) if (writes === value && reads !== undefined) needed.add(reads)
    }
    return left.filter(({ writes }) => writes !== undefined && needed.has(writes)).map(({ kind }) => kind)
  }
}
