import type { OperationField, Outcome } from '../history/operation.js'
import type { ObjectType } from './object-codes.js'
import type { Json } from '../json.js'

/** What a model sees of an operation. */
export interface ModelOperation {
  readonly type: string
  readonly key: string | number | null
  readonly input: Json
  /** Meaningless (null) when the outcome is unknown: then any result is allowed. */
  readonly output: Json
  readonly outcome: Outcome
  /** Who asked. Given only to models that require `process_id`: to the others it makes no difference. */
  readonly process?: string | number
}

/**
 * How a recorded history is to be read. The same names in code, on the command line and in index files.
 */
export interface Semantics {
  /** The state before the first operation. */
  readonly init: Json
  /** An ok read of null saw the initial, absent value (`absent`), or its result was not recorded (`unknown`). */
  readonly nullRead: 'absent' | 'unknown'
  /** A failed operation did not happen (`ignored`), or tells something: a failed CAS saw another value (`observed`). */
  readonly failed: 'ignored' | 'observed'
}

/**
 * The sequential specification of an object: what it would do if operations came one at a time.
 *
 * States are immutable. `step` is total over the model's operation types.
 */
export interface Model<State = unknown> {
  readonly name: string
  /** The operation types that the model understands; a checker leaves others alone. */
  readonly operations: readonly string[]
  /** History fields that judging by this model needs, besides timestamps. */
  readonly requires: readonly OperationField[]
  readonly semantics: Semantics
  /** The initial state of one partition. */
  init(key: string | number | null): State
  /** The state after the operation, or undefined when it cannot have had this result in this state. */
  step(state: State, operation: ModelOperation): State | undefined
  /** Equal states have equal identities. */
  identity(state: State): string | number
  /** `key`: every key is an object of its own. `whole`: one object. */
  readonly partition: 'key' | 'whole'
  /**
   * True when operations of the type can never change a state, whatever their result.
   * Given the operation itself, true also when this one cannot: a transaction of reads, a CAS that answered false.
   */
  isObserver(type: string, operation?: ModelOperation): boolean
  /** True when the operation is always allowed and leaves the same state whatever it met. Lets the search do less. */
  isOverwrite?(operation: ModelOperation): boolean
  /**
   * False when no operations but overwrites lead from the state to one in which the observer could have had its
   * result. Lets the search give up early.
   */
  leadsTo?(state: State, observer: ModelOperation): boolean
  /** Of models of a well-known object: lets exact checkers take the place of the search. */
  readonly object?: ObjectEncoding
  /** Only of models whose state is one value: the operation in terms of that value. Null when it says nothing. */
  registerAction?(operation: ModelOperation): RegisterAction | null
  describeOperation(operation: ModelOperation): string
  describeState(state: State): string
}

/** An operation on a single value. Values are named by their identity as states; absent fields do not apply. */
export interface RegisterAction {
  /** It was applied to this value. */
  readonly reads?: string
  /** It met some value other than this one. */
  readonly differs?: string
  /** It left this value. */
  readonly writes?: string
}

/** How a model's operations are those of a well-known type of object, in columns. */
export interface ObjectEncoding {
  readonly type: ObjectType
  /**
   * Puts the operation in the codes of the object's type, once, or not at all when it says nothing and can be left out.
   * False when the type has no words for it, so that only the search can judge the history.
   */
  encode(operation: ModelOperation, codes: Codes): boolean
  /** Splits a key's history further, such as a set by element: the operation's part; null keeps it whole. */
  element?(operation: ModelOperation): Json | null
  /** What to try when some operation of the object's history is `inexpressible`: another type that has the words. */
  readonly otherwise?: ObjectEncoding
}

/** Where an operation is put in codes: written in place, since an object for each of a million would cost more. */
export interface Codes {
  /** The value's id, counted from 0; equal values have the same. */
  idOf(value: Json): number
  put(kind: number, a: number, b: number, list?: readonly number[]): void
}
