import { z } from 'zod'

/** A fault of a schedule whose time came. */
const scheduledFaultSchema = z.strictObject({
  /** As declared or drawn: `kill node=random`. Its window has the targets that this meant. */
  fault: z.string(),
  /**
   * Milliseconds from the moment at which its turn came: the start of the workload, the heal of the step before it, or,
   * of random faults, the recovery from the group before, then the beginning of its group.
   */
  afterMs: z.number(),
  /** Milliseconds that it was to stay once it had landed; null until the end of the workload, or an event. */
  forMs: z.number().nullable(),
  /** Id of its window; null when it was not injected. */
  id: z.string().nullable(),
  /** What its targets that are drawn came to, such as `random` to `n2`; roles are not drawn: they mean who has them. */
  drawn: z.array(
    z.strictObject({ target: z.union([z.string(), z.array(z.string())]), nodes: z.array(z.string()) }),
  ),
  /** Why a random fault was not injected, such as a quorum to be kept; null when it was. */
  skipped: z.string().nullable(),
  /** Milliseconds from the last heal of its group of random faults until the system was ready again; null for others. */
  recoveredMs: z.number().nullable(),
})
export type ScheduledFault = z.infer<typeof scheduledFaultSchema>

/** A declared fault, or a declared random schedule, with what came of it. */
export const scheduledSchema = z.strictObject({
  declared: z.string(),
  faults: z.array(scheduledFaultSchema),
})
export type Scheduled = z.infer<typeof scheduledSchema>
