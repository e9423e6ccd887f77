import type { Operation } from '../../history/operation.js'
import { addTo } from './ties/lists.js'
import type { ClosedPart, Ties } from './ties/ties.js'

/** In no more operations than these, everything is tried again until nothing more can be left out. */
const few = 64

/** Says whether a closed part is still a violation; null when there is no more time to ask. */
export type Violates = (part: readonly Operation[]) => Promise<boolean | null>

export interface Left {
  readonly operations: readonly Operation[]
  /** False when the time ran out before each operation was tried. */
  readonly minimal: boolean
}

/**
 * Leaves operations out of a closed part that violates, with all that depends on them, for as long as the rest violates:
 * first those on which nothing depends, then all; many at once where that goes well, and single ones where it does not.
 *
 * A part of a part that is no violation is none either: what cannot be left out keeps its causes, and what was refused is
 * not tried together with more.
 *
 * Source: after A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002, whose
 * notion of 1-minimal it is; the ties and the order of the steps are ours.
 */
export async function leaveOut(whole: ClosedPart, ties: Ties, violates: Violates): Promise<Left> {
  const part = new ShrinkingPart(whole, ties)
  for (const isCandidate of [part.isLeaf, part.isOpen]) {
    const candidates = part.operations.filter(isCandidate)
    if (!(await stepBack(part, candidates, violates))) return { operations: part.operations, minimal: false }
  }
  for (let isSmaller = true; isSmaller && part.operations.length <= few;) {
    const before = part.operations.length
    for (const operation of part.operations) {
      if ((await part.tryWithout([operation], violates, { again: true })) === null) {
        return { operations: part.operations, minimal: false }
      }
    }
    isSmaller = part.operations.length < before
  }
  return { operations: part.operations, minimal: true }
}

/**
 * Tries the candidates from the last one on, twice as many after a success, half as many after a refusal. False when the
 * time ran out.
 */
async function stepBack(
  part: ShrinkingPart,
  candidates: readonly Operation[],
  violates: Violates,
): Promise<boolean> {
  let pending = candidates
  for (let size = Math.ceil(pending.length / 2); pending.length > 0;) {
    // What came last has the fewest dependants: where it cannot go, what takes it along cannot either.
    const chunk = pending.slice(-size)
    const answer = await part.tryWithout(chunk, violates)
    if (answer === null) return false
    if (answer) size *= 2
    else if (chunk.length === 1) pending = pending.slice(0, -1)
    else size = Math.ceil(chunk.length / 2)
    pending = pending.filter(part.isOpen)
  }
  return true
}

/** A part of a history that only gets smaller, and what is known of its operations. */
class ShrinkingPart {
  operations: readonly Operation[]
  readonly #left: Set<Operation>
  readonly #causes = new Map<Operation, readonly Operation[]>()
  readonly #dependants = new Map<Operation, Operation[]>()
  /** Without these it was no violation. */
  readonly #needed = new Set<Operation>()
  /** The fewest operations that could not be left out together. */
  #refused: ReadonlySet<Operation> | null = null

  constructor({ operations, until }: ClosedPart, ties: Ties) {
    this.#left = new Set(operations)
    this.operations = operations
    for (const operation of this.operations) {
      const causes = ties.causesOf(operation, until).filter((cause) => this.#left.has(cause))
      this.#causes.set(operation, causes)
      for (const cause of causes) if (cause !== operation) addTo(this.#dependants, cause, operation)
    }
  }

  /** Nothing depends on it. */
  readonly isLeaf = (operation: Operation): boolean => !this.#dependants.has(operation)

  /** It is still there, and it is not known that it has to be. */
  readonly isOpen = (operation: Operation): boolean =>
    this.#left.has(operation) && !this.#needed.has(operation)

  /**
   * Leaves the operations and their dependants out if the rest violates. Null when the time has run out. Does not ask
   * when something needed would have to go, unless `again`.
   */
  async tryWithout(
    chunk: readonly Operation[],
    violates: Violates,
    { again = false }: { again?: boolean } = {},
  ): Promise<boolean | null> {
    const out = reached(chunk, this.#dependants)
    const rest = this.operations.filter((operation) => !out.has(operation))
    if (rest.length === this.operations.length) return false
    const isLost = rest.length === 0 || (!again && this.#isRefused(out))
    const answer = isLost ? false : await violates(rest)
    if (answer === true) {
      this.operations = rest
      for (const operation of out) this.#left.delete(operation)
    }
    if (answer === false && out.size < (this.#refused?.size ?? Infinity)) this.#refused = out
    if (answer === false && chunk.length === 1) {
      for (const operation of reached(chunk, this.#causes)) this.#needed.add(operation)
    }
    return answer
  }

  /** Whether it is known that the rest is no violation. */
  #isRefused(out: ReadonlySet<Operation>): boolean {
    if (this.#refused !== null && isWithin(this.#refused, out)) return true
    for (const operation of out) if (this.#needed.has(operation)) return true
    return false
  }
}

function isWithin(few: ReadonlySet<Operation>, many: ReadonlySet<Operation>): boolean {
  if (few.size > many.size) return false
  for (const operation of few) if (!many.has(operation)) return false
  return true
}

/** The operations and all that the edges lead to. */
function reached(
  from: readonly Operation[],
  edges: ReadonlyMap<Operation, readonly Operation[]>,
): ReadonlySet<Operation> {
  const all = new Set(from)
  for (const operation of all) for (const next of edges.get(operation) ?? []) all.add(next)
  return all
}
