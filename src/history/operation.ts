import { z } from 'zod'
import { jsonSchema } from '../json.js'

const timestamp = z.int().nonnegative()
const identity = z.union([z.int(), z.string()])

/**
 * One operation of a client on the system, from invocation to completion.
 *
 * Timestamps are integer nanoseconds of one monotonic clock, counted from the start of the run.
 * Unused fields are null, never left out. The outcome is not stored: see `outcomeOf`.
 */
export const operationSchema = z.strictObject({
  /** Unique in the run. A retry is a new operation with a new id. */
  op_id: identity,
  /** The client or session. Retired after an operation of unknown outcome. */
  process_id: identity,
  invoke_ts: timestamp,
  /** Null when no answer came. */
  complete_ts: timestamp.nullable(),
  op_type: z.string().min(1),
  key: z.union([z.string(), z.number()]).nullable(),
  input: jsonSchema,
  /** Null when the outcome is unknown. */
  output: jsonSchema,
  /** Why it failed, or why its outcome is unknown. */
  error: z.string().nullable(),
  /** True when the outcome is unknown. */
  timeout_marker: z.boolean(),
  /** The node, leader or route that answered. */
  node_seen: z.string().nullable(),
  /** The fault windows that were open during the operation, such as `F1` or `F1+F2`. */
  fault_epoch: z.string().nullable(),
})
export type Operation = z.infer<typeof operationSchema>
export type OperationField = keyof Operation

/** `failed` means that it certainly did not happen; `unknown` that it may have, at any later time. */
export type Outcome = 'ok' | 'failed' | 'unknown'

/** What is known about an operation's effect. */
export function outcomeOf(operation: Pick<Operation, 'complete_ts' | 'error'>): Outcome {
  if (operation.complete_ts === null) return 'unknown'
  return operation.error === null ? 'ok' : 'failed'
}
