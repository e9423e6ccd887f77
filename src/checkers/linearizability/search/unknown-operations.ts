import { never, none } from '../part.js'
import { role, type Problem } from './problem.js'

/**
 * The operations of unknown outcome, of which any number may take effect. Those of one kind do the same, so they are
 * used in order of invocation; how many of each were used is kept elsewhere.
 */
export class UnknownOperations {
  readonly kinds: readonly number[]
  /** By value, for objects of one value: kinds of overwrites and others that leave it. */
  readonly overwritesGiving: ReadonlyMap<number, number>
  readonly othersGiving: ReadonlyMap<number, readonly number[]>
  /** Values that some operation of unknown outcome can be applied to only. */
  readonly needed: ReadonlySet<number>
  /** Rank of the first invocation of any of them. */
  readonly from: number
  readonly #problem: Problem
  readonly #ofKind = new Map<number, number[]>()

  constructor(problem: Problem) {
    this.#problem = problem
    const { complete, count, kind, invoke, behaviour } = problem
    let from = never
    for (let operation = 0; operation < count; operation += 1) {
      const its = kind[operation] as number
      if (complete[operation] !== never || behaviour.roles[its] === role.observer) continue
      from = Math.min(from, invoke[operation] as number)
      const same = this.#ofKind.get(its)
      if (same) same.push(operation)
      else this.#ofKind.set(its, [operation])
    }
    this.from = from
    this.kinds = [...this.#ofKind.keys()]
    const overwrites = new Map<number, number>()
    const others = new Map<number, number[]>()
    const needed = new Set<number>()
    for (const its of this.kinds) {
      const gives = behaviour.value?.gives[its] ?? none
      if (gives === none) continue
      if (behaviour.roles[its] === role.overwrite) overwrites.set(gives, its)
      else others.set(gives, [...(others.get(gives) ?? []), its])
      const needs = behaviour.value?.needs[its] ?? none
      if (needs !== none) needed.add(needs)
    }
    this.overwritesGiving = overwrites
    this.othersGiving = others
    this.needed = needed
  }

  /** The next operation of the kind after `used` of them, if it was invoked before `limit`; `none` otherwise. */
  next(kind: number, used: number, limit: number): number {
    const operation = this.#ofKind.get(kind)?.[used]
    if (operation === undefined || (this.#problem.invoke[operation] as number) >= limit) return none
    return operation
  }
}
