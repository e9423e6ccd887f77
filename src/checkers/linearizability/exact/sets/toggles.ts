import { Deadlines } from '../deadlines.js'
import { never, none, setKind, type Part } from '../../part.js'

/** One element of a set as a switch: some operations turn it on or off, the others see it on or off. */
export class Toggles {
  readonly #part: Part
  /** Open operations that turn it on (1) or off (0). */
  readonly #open: readonly [Deadlines, Deadlines]
  readonly #done: Uint8Array

  constructor(part: Part) {
    this.#part = part
    this.#open = [new Deadlines(part.complete), new Deadlines(part.complete)]
    this.#done = new Uint8Array(part.count)
  }

  /**
   * Switches as late as possible, by the operation that completes first; the index of the event at which no schedule
   * can go on, or -1 when this one works. The element is absent at first. Needs every completed add and remove to
   * answer whether it changed the set; unknown ones may take effect or not.
   *
   * Nothing is switched before the completion of an operation forces every schedule to have switched as often, and the
   * most urgent operation of each direction is spent first, so what is left is at least as good as in any other
   * schedule. An observer is content as soon as the element was as it saw at any time since its invocation.
   */
  firstFailure(events: ArrayLike<number>): number {
    const { invoke, complete } = this.#part
    const open = this.#open
    const done = this.#done
    open[0].clear()
    open[1].clear()
    const optional: [number, number] = [0, 0]
    let state: 0 | 1 = 0
    // The rank until which the element was last off, and on; what was invoked earlier has met it so.
    const left: [number, number] = [-1, -1]

    const toggle = (at: number): boolean => {
      const to = state === 0 ? 1 : 0
      if (!open[to].isEmpty) done[open[to].take()] = 1
      else if (optional[to] > 0) optional[to] -= 1
      else return false
      left[state] = at
      state = to
      return true
    }

    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!
      const i = Math.abs(event) - 1
      const turns = turnsTo(this.#part, i)
      if (event > 0) {
        done[i] = 0
        if (turns === null) continue
        if (complete[i] === never) optional[turns] += 1
        else open[turns].add(i)
        continue
      }
      const at = complete[i]!
      if (turns === null) {
        const seen = sees(this.#part, i)
        if (seen === state || left[seen] > invoke[i]!) continue
        if (!toggle(at)) return index
        continue
      }
      if (done[i] === 1) continue
      if (state === turns && !toggle(at)) return index
      if (!toggle(at)) return index
    }
    return -1
  }
}

/** What the operation turns the element to; null when it only saw it, which is so when it answered false. */
export function turnsTo({ kind, b }: Part, i: number): 0 | 1 | null {
  if (kind[i] === setKind.contains || b[i] === 0) return null
  return kind[i] === setKind.add ? 1 : 0
}

/** What an observer saw: an add that changed nothing saw the element. */
export function sees({ kind, b }: Part, i: number): 0 | 1 {
  if (kind[i] === setKind.contains) return b[i] === 1 ? 1 : 0
  return kind[i] === setKind.add ? 1 : 0
}

/** A completed add or remove that does not say whether it changed the set. */
export function isBlind({ kind, b, complete }: Part, i: number): boolean {
  return kind[i] !== setKind.contains && b[i] === none && complete[i] !== never
}
