import { z } from 'zod'

const reading = z.union([z.number(), z.string()]).nullable()

/** One reading that shows a fault, before it and now. */
export const evidenceSchema = z.strictObject({
  side: z.enum(['injector', 'victim']),
  /** The node or link that the reading is about. */
  subject: z.string(),
  /** What was read, such as `dropped packets` or `exit signal`. */
  signal: z.string(),
  before: reading,
  after: reading,
  /** `still`: it must not move while the fault is in place, as the state of a node that nothing reaches. */
  expected: z.literal('still').optional(),
  /** Nanoseconds since the run's start at which `after` was read. */
  at: z.int().nonnegative(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** Operations that overlapped a fault window. */
export const exposureSchema = z.strictObject({
  /** Operations in flight at any moment of the window. */
  overlapping: z.int().nonnegative(),
  /** Those of them on an affected path. */
  exposed: z.int().nonnegative(),
  /** Of the exposed: how they ended. */
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  unknown: z.int().nonnegative(),
})
export type Exposure = z.infer<typeof exposureSchema>

/** One injected fault, from the decision to the recovery. Times are nanoseconds since the run's start. */
export const faultWindowSchema = z.strictObject({
  /** `F1`, `F2`, … in order of injection; operations carry it as `fault_epoch`. */
  id: z.string(),
  fault: z.string(),
  /** The options as declared, with roles resolved to nodes. */
  target: z.string(),
  mechanism: z.string().nullable(),
  injected_ts: z.int().nonnegative(),
  landed_ts: z.int().nonnegative().nullable(),
  healed_ts: z.int().nonnegative().nullable(),
  /** True when both sides show it and operations met it. */
  landed: z.boolean(),
  /** Why it does not count as landed; null when it does. */
  cause: z.string().nullable(),
  evidence: z.array(evidenceSchema),
  /** Readings after the heal that show that the fault is gone. */
  healed: z.array(evidenceSchema),
  exposure: exposureSchema.nullable(),
})
export type FaultWindow = z.infer<typeof faultWindowSchema>
