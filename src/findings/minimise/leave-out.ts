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
 * first those on which nothing depends, then all; half of them at once, a quarter, and so on down to single ones.
 *
 * What cannot be left out keeps its causes, so that those need not be tried: a part of a part that is no violation is
 * none either.
 *
 * Source: the halves and the single steps at the end are those of A. Zeller and R. Hildebrandt, Simplifying and Isolating
 * Failure-Inducing Input, IEEE TSE 28(2), 2002; the ties are ours.
 */
export async function leaveOut(whole: ClosedPart, ties: Ties, violates: Violates): Promise<Left> {
  const part = new ShrinkingPart(whole, ties)
  for (const isCandidate of [part.isLeaf, part.isOpen]) {
    const candidates = part.operations.filter(isCandidate)
    if (!(await halving(part, candidates, violates))) return { operations: part.operations, minimal: false }
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

/** False when the time ran out. */
async function halving(
  part: ShrinkingPart,
  candidates: readonly Operation[],
  violates: Violates,
): Promise<boolean> {
  let pending = candidates
  for (let size = pending.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < pending.length; start += size) {
      const chunk = pending.slice(start, start + size).filter(part.isOpen)
      if ((await part.tryWithout(chunk, violates)) === null) return false
    }
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
    const isLost = rest.length === 0 || (!again && [...out].some((operation) => this.#needed.has(operation)))
    const answer = isLost ? false : await violates(rest)
    if (answer === true) {
      this.operations = rest
      for (const operation of out) this.#left.delete(operation)
    }
    if (answer === false && chunk.length === 1) {
      for (const operation of reached(chunk, this.#causes)) this.#needed.add(operation)
    }
    return answer
  }
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
