import type { Operation } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Model } from '../models/model.js'
import type { Random } from '../random/random.js'

/** What a checker was asked about and found nothing wrong with. */
export interface CleanHistory {
  /** In order of invocation. */
  readonly operations: readonly Operation[]
  readonly model: Model | null
  /** What `collect` of the checker returned at quiescence; null when it collects nothing. */
  readonly collected: Json
}

/** What a mutant has in the place of some operations; null leaves one out. */
export interface Change {
  readonly replace: ReadonlyMap<Operation, Operation | null>
  readonly insert: readonly Operation[]
}

/** A clean history with one change that makes it a violation. */
export interface Mutant {
  /** What was changed, and why that must not be, in one sentence without its end mark. */
  readonly what: string
  /** What was done to the operations of the history; nothing when only the final state was changed. */
  readonly change: Change
  readonly operations: readonly Operation[]
  readonly collected: Json
}

/** One way to turn a clean history into a violation. */
export interface Mutation {
  /** In kebab-case; what `forbids` of a checker lists. */
  readonly name: string
  /** What a system would have done that shows like this. */
  readonly about: string
  /**
   * Draws one mutant. It is a violation by construction, whatever else the history holds; null when the history offers no
   * place where that is sure. The operations of the given history are left as they are.
   */
  draw(history: CleanHistory, random: Random): Mutant | null
}
