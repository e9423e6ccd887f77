import { z } from 'zod'

/** How operations got into the history, and by which clock. */
export const recordingSchema = z.strictObject({
  mechanism: z.enum(['in-process', 'external-probe', 'server-audit', 'combined']),
  /** `monotonic`: one clock for all processes. `wall`: clocks that may differ between processes. */
  clock: z.enum(['monotonic', 'wall']),
})

/** What the logs of the system say of panics, exceptions and internal errors. */
export const logScanSchema = z.strictObject({
  files: z.int(),
  lines: z.int(),
  /** The first of each pattern and file, and how many more. */
  matches: z.array(
    z.strictObject({
      pattern: z.string(),
      file: z.string(),
      line: z.int(),
      text: z.string(),
      count: z.int(),
      /** The declared reason for ignoring it; null when it counts. */
      ignored: z.string().nullable(),
    }),
  ),
  /** Logs that could not be read, with the reason. */
  unread: z.array(z.string()),
})
export type LogScan = z.infer<typeof logScanSchema>

/** How the system served over a part of the run: the operations that were invoked in it. */
const serviceSchema = z.strictObject({
  from_ts: z.int(),
  to_ts: z.int(),
  operations: z.int(),
  /** Share of operations that ended ok, 0 to 1. */
  okShare: z.number(),
  /** Operations that ended ok, a second. */
  rate: z.number(),
  /** Milliseconds from invocation to answer, of those that ended ok; null without any. */
  p99: z.number().nullable(),
})
export type Service = z.infer<typeof serviceSchema>

/** Service before the first fault and after the last recovery; null where the run has no such part. */
export const nominalSchema = z.strictObject({
  before: serviceSchema.nullable(),
  after: serviceSchema.nullable(),
})
export type Nominal = z.infer<typeof nominalSchema>

/** Load of one slice of the workload. */
export const loadSliceSchema = z.strictObject({
  fromMs: z.number(),
  toMs: z.number(),
  /** Operations whose intended start lies in it, started or not; null in a closed loop. */
  intended: z.number().nullable(),
  /** Operations that were invoked in it, and how those ended. */
  invoked: z.int(),
  ok: z.int(),
  failed: z.int(),
  unknown: z.int(),
})
export type LoadSlice = z.infer<typeof loadSliceSchema>

/** A control of a boundary claim: what must be seen, or what must be refused and be seen to be refused. */
export const controlSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['positive', 'negative']),
  held: z.boolean(),
  detail: z.string(),
})
export type ControlResult = z.infer<typeof controlSchema>
