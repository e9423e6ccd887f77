import type { ObjectType } from '../../models/object-codes.js'

export {
  none,
  registerKind,
  counterKind,
  setKind,
  growSetKind,
  containerKind,
  logKind,
  semaphoreKind,
  type ObjectType,
} from '../../models/object-codes.js'

/**
 * The history of one object in columns: what the exact checkers and the search work on.
 *
 * Times are ranks of events, all distinct, counted within the part; at equal times calls come before returns. Left out
 * are failed operations that say nothing, and observers of unknown outcome.
 */
export interface Part {
  readonly object: ObjectType
  /** The object's key; null when there is none. */
  readonly key: string | number | null
  readonly count: number
  /** What the operation does: a member of the codes of the object's type. */
  readonly kind: Uint8Array
  /** Operands, by object type: ids of values counted from 0, or plain integers; `none` where there is none. */
  readonly a: Int32Array
  readonly b: Int32Array
  /** Elements of a result that is a list: `elements[starts[i]]` up to `starts[i + 1]`; null where no operation has one. */
  readonly lists: { readonly starts: Int32Array; readonly elements: Int32Array } | null
  readonly invoke: Int32Array
  /** `never` when the outcome is unknown: it may take effect at any time after `invoke`, or not at all. */
  readonly complete: Int32Array
  /** Ids of processes, counted from 0; null where the type of object does not tell who asked. */
  readonly process: Int32Array | null
  /** Index of the operation in the whole history. */
  readonly source: Int32Array
  /** Number of events; ranks are below it. */
  readonly events: number
  /** Number of value ids. */
  readonly values: number
}

/** Later than every event. */
export const never = 2 ** 31 - 1
/** What an exact checker answers. `unknown`: its preconditions do not hold, or it cannot tell; then the search decides. */
export type Decision =
  | { readonly valid: true }
  | { readonly valid: false; readonly violation: Violation }
  | { readonly valid: 'unknown'; readonly reason: string }

/** A few operations that are a violation by themselves, and why. */
export interface Violation {
  /** Such as `stale-read`, `lost-element`, `phantom-value`. */
  readonly type: string
  /** Indexes in the part, in order of invocation. The part restricted to them is invalid by itself. */
  readonly operations: readonly number[]
  /** In one or two sentences. `tell(i)` puts an operation in words, `value(id)` a value. */
  explain(words: { tell(operation: number): string; value(id: number): string }): string
}

/** Decides one type of object in near-linear time, exactly, under preconditions that it states. */
export interface ExactChecker {
  readonly name: string
  readonly object: ObjectType
  /** What must hold of the history, in words. */
  readonly preconditions: string
  decide(part: Part): Decision
}
