import { none } from '../part.js'
import type { Position } from './position.js'
import { role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/** How far to look for the next reader. */
const lookahead = 16

/** What values operations will need that are not linearized yet, on an object of one value. */
export class Outlook {
  readonly #position: Position
  readonly #unknown: UnknownOperations

  constructor(position: Position, unknown: UnknownOperations) {
    this.#position = position
    this.#unknown = unknown
  }

  /** Whether an operation needs the value, returning before a further one can leave it. */
  isNeededLater(value: number): boolean {
    const { needers, givers, end, problem } = this.#position
    const reader = needers?.next[end + value] as number
    if (reader >= end) return false
    return !this.#isGivenBefore(
      value,
      problem.complete[reader] as number,
      givers?.next[end + value] as number,
    )
  }

  /** The same of a value that `except` leaves, looking only at what is invoked at or after `limit`. */
  isNeededAfter(value: number, { except, limit }: { except: number; limit: number }): boolean {
    const { needers, givers, end, problem } = this.#position
    if (needers === null || givers === null) return false
    let reader = needers.next[end + value] as number
    while (reader < end && (problem.invoke[reader] as number) < limit) reader = needers.next[reader] as number
    if (reader >= end) return false
    let giver = givers.next[end + value] as number
    if (giver === except) giver = givers.next[giver] as number
    return !this.#isGivenBefore(value, problem.complete[reader] as number, giver)
  }

  #isGivenBefore(value: number, limit: number, giver: number): boolean {
    const { end, problem, usedOfKind } = this.#position
    if (giver < end && (problem.invoke[giver] as number) < limit) return true
    const unknown = this.#unknown.overwritesGiving.get(value)
    return unknown !== undefined && this.#unknown.next(unknown, usedOfKind[unknown] as number, limit) !== none
  }

  /** The value that the reader returning next needs. */
  nextNeed(): number {
    const { returns, end, problem, behaviour } = this.#position
    let one = returns.next[end] as number
    for (let looked = 0; one !== end && looked < lookahead; looked += 1) {
      const kind = problem.kind[one] as number
      const needs = behaviour.value?.needs[kind] ?? none
      if (behaviour.roles[kind] === role.observer && needs !== none) return needs
      one = returns.next[one] as number
    }
    return none
  }
}
