import type { Json } from '../json.js'
import type { Operation } from './operation.js'

/** Outcomes as they stand in a column. */
export const outcomeCode = { ok: 0, failed: 1, unknown: 2 } as const

/**
 * A whole history as typed arrays, in order of invocation: what a million operations are judged from without an object
 * for each. Equal names, keys and processes have equal ids, counted from 0.
 */
export interface Columns {
  readonly count: number
  /** Ids into `types`, `keys` and `processes`. */
  readonly type: Int32Array
  readonly key: Int32Array
  readonly process: Int32Array
  readonly types: readonly string[]
  readonly keys: readonly (string | number | null)[]
  readonly processes: readonly (string | number)[]
  /** Members of `outcomeCode`. */
  readonly outcome: Uint8Array
  /**
   * Every event in order of time, `index + 1` for an invocation and `-(index + 1)` for a return; operations of unknown
   * outcome have no return. At equal times calls come before returns: operations that touch are concurrent.
   */
  readonly events: Int32Array
  idAt(index: number): string | number
  inputAt(index: number): Json
  outputAt(index: number): Json
  /** False when the history tells only the order of events: then times are the places of events. */
  readonly hasTimes: boolean
  /** Nanoseconds from the run's start. */
  invokedAt(index: number): number
  /** Null when no answer came. */
  completedAt(index: number): number | null
  /** The whole operation, made anew each time where the history was not given as operations. */
  operationAt(index: number): Operation
}
