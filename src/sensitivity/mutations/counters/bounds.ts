import { outcomeOf, type Operation } from '../../../history/operation.js'
import { countBefore } from '../../draw.js'

/** An operation that adds an amount, below 0 to take away. */
export interface Addition {
  readonly by: number
  readonly operation: Operation
}

/** How much additions come to at a moment, in order of time. */
interface Sum {
  readonly at: readonly number[]
  /** For each moment what was added up to there, and in front of them 0. */
  readonly upTo: readonly number[]
}

/** What a read of a sum may answer: from what is surely there to what can possibly be. */
export class Bounds {
  readonly #initial: number
  readonly #certain: { readonly up: Sum; readonly down: Sum }
  readonly #possible: { readonly up: Sum; readonly down: Sum }

  /** Of additions that did not fail. */
  constructor(initial: number, additions: readonly Addition[]) {
    const [up, down] = [additions.filter(({ by }) => by > 0), additions.filter(({ by }) => by < 0)]
    this.#initial = initial
    this.#certain = { up: returned(up), down: returned(down) }
    this.#possible = { up: invoked(up), down: invoked(down) }
  }

  of({ invoke_ts: began, complete_ts: completed }: Operation): {
    readonly least: number
    readonly most: number
  } {
    // What begins as the read returns may still be seen.
    const ended = (completed ?? Infinity) + 1
    const { up, down } = this.#certain
    return {
      least: this.#initial + before(up, began) + before(this.#possible.down, ended),
      most: this.#initial + before(this.#possible.up, ended) + before(down, began),
    }
  }
}

function returned(additions: readonly Addition[]): Sum {
  const acknowledged = additions.filter(({ operation }) => outcomeOf(operation) === 'ok')
  return sumOf(acknowledged.map(({ by, operation }) => ({ by, at: operation.complete_ts ?? Infinity })))
}

function invoked(additions: readonly Addition[]): Sum {
  return sumOf(additions.map(({ by, operation }) => ({ by, at: operation.invoke_ts })))
}

function sumOf(changes: readonly { readonly by: number; readonly at: number }[]): Sum {
  const sorted = [...changes].sort((a, b) => a.at - b.at)
  const upTo = [0]
  for (const { by } of sorted) upTo.push((upTo.at(-1) ?? 0) + by)
  return { at: sorted.map(({ at }) => at), upTo }
}

function before({ at, upTo }: Sum, moment: number): number {
  return upTo[countBefore(at, moment, (one) => one)] ?? 0
}
