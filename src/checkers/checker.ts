import { z } from 'zod'
import type { Category } from '../claim/claim.js'
import type { Columns } from '../history/columns.js'
import type { FaultSpan } from '../history/fault-span.js'
import type { Operation, OperationField } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Model } from '../models/model.js'

const identity = z.union([z.int(), z.string()])

/** Where a history stops being explainable, and what could be the case there. */
export const breakSchema = z.strictObject({
  /** The operation at whose return it stops; everything up to that return is refuted, everything before it is not. */
  brokenAt: identity,
  /** Of all answers on this object, how many came before that return: the longest prefix that can be explained. */
  prefix: z.strictObject({ answers: z.int().nonnegative(), of: z.int().nonnegative() }),
  /** States that are possible just before, in words; empty when not known. */
  states: z.array(z.string()),
  /** Other operations in flight then, and why each does not help. */
  pending: z.array(z.strictObject({ operation: identity, why: z.string() })),
})
export type Break = z.infer<typeof breakSchema>

/** One thing that must not have happened, in terms of the operations that show it. */
export const anomalySchema = z.strictObject({
  type: z.string(),
  explanation: z.string(),
  /** Ids of the operations that show it, in order of invocation. */
  operations: z.array(identity),
  /** Where the history breaks, of checkers that judge an order of operations. */
  break: breakSchema.optional(),
  /**
   * The operations of a cycle, each of which must come before the next and the last before the first, with what asks for
   * it; of checkers that find one.
   */
  cycle: z.array(z.strictObject({ from: identity, to: identity, why: z.string() })).optional(),
})
export type Anomaly = z.infer<typeof anomalySchema>

export const checkResultSchema = z.strictObject({
  checker: z.string(),
  model: z.string().nullable(),
  valid: z.union([z.boolean(), z.literal('unknown')]),
  /** Why it is unknown: what ran out, and what would help. Null otherwise. */
  reason: z.string().nullable(),
  /** Operations that the checker consumed. Zero means that the oracle did not run. */
  operations: z.int().nonnegative(),
  /** Whether every operation was judged together, or each partition on its own. */
  coverage: z.enum(['all', 'subset']),
  /** Counts that prove the work: states explored, assertions fired, keys, final reads, … */
  evidence: z.record(z.string(), z.number()),
  anomalies: z.array(anomalySchema),
  /** What this checker cannot detect. */
  scope: z.array(z.string()),
  ms: z.number().nonnegative(),
})
export type CheckResult = z.infer<typeof checkResultSchema>

export interface CheckInput {
  readonly operations: readonly Operation[]
  /** The same history in columns, where there are any: a checker that takes them leaves `operations` alone. */
  readonly columns?: Columns
  readonly model: Model | null
  /** What `collect` returned at quiescence; null when the checker collects nothing. */
  readonly collected: Json
  /** The fault windows of the run, in order of injection; absent when only a history is at hand. */
  readonly faults?: readonly FaultSpan[]
  /** Give up (valid: 'unknown') after this long. */
  readonly timeoutMs: number
  /** Give up before the process takes more than this. */
  readonly memoryMb?: number
  /** Only the verdict is wanted: a violation need not be made small and told. */
  readonly verdictOnly?: boolean
  /** Stops the check (valid: 'unknown'). */
  readonly signal?: AbortSignal
  /** Called now and then while a check goes on. */
  readonly onProgress?: (progress: CheckProgress) => void
}

/** How far a check has come. */
export interface CheckProgress {
  /** Objects (keys) that are decided, of all. */
  readonly decided: number
  readonly partitions: number
  /** Configurations explored by the search so far. */
  readonly configurations: number
}

/** What a checker may touch while the system is still up: after heal, recovery and quiescence. */
export interface CollectContext<Client = unknown> {
  readonly nodes: readonly { readonly name: string }[]
  /** A client connected to each node, in the order of `nodes`. */
  readonly clients: readonly Client[]
  /** The keys that the workload used, in order of first use. */
  readonly keys: readonly (string | number | null)[]
  readonly operations: readonly Operation[]
  readonly signal: AbortSignal
}

/** A judge of a history that still grows: it may miss a violation, but what it finds is one. */
export interface HistoryWatch {
  invoked(operation: Operation): void
  completed(operation: Operation): void
  /** The operations that show the first violation; null while there is none. */
  readonly violation: readonly Operation['op_id'][] | null
}

/**
 * An oracle: a pure judgement of a recorded history.
 *
 * It may answer `unknown`. It never calls an invalid history valid or a valid one invalid.
 */
export interface Checker<Client = never> {
  readonly name: string
  /** What it was made with: two checkers of a name with equal options judge alike. */
  readonly options?: object
  /** Number of the oracle pattern (1 to 14) in the catalog. */
  readonly pattern: number
  /** True for checkers that judge a whole history by a sequential model; a serious scenario needs one to have run. */
  readonly usesModel: boolean
  /** History fields that must be filled for the verdict to mean anything. */
  readonly needs: readonly OperationField[]
  /** What it cannot detect, in plain words. */
  readonly scope: readonly string[]
  /** Null when the checker fits, else why not and which checker does. */
  misfit(model: Model | null, categories: readonly Category[]): string | null
  /** Reads what it needs from the live system at quiescence. The result is recorded and handed to `check`. */
  collect?(context: CollectContext<Client>): Promise<Json>
  check(input: CheckInput): Promise<CheckResult>
  /**
   * Judges all passes of a scenario together, from the results that `check` gave for each, in order of their seeds. For
   * oracles that need replicated runs, such as a comparison with a baseline; `check` then only measures.
   */
  acrossRuns?(results: readonly CheckResult[]): CheckResult
  /** Watches the history while the run goes on, so that it can end at a violation; null when it cannot by the model. */
  watch?(model: Model | null): HistoryWatch | null
  /**
   * Names of the mutations that it must notice, of a checker of the user's own; see `mutations`. Default: those of the
   * model that it judges by.
   */
  readonly forbids?: readonly string[]
  /** Digest of the harness that measured what it compares with, of a checker that compares with earlier runs. */
  readonly comparedWith?: string
}
