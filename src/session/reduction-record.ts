import { z } from 'zod'
import { jsonSchema } from '../json.js'

const shrunkSchema = z.strictObject({ from: z.int(), to: z.int() })

/** What is left of a violation after everything that is not needed for it has been taken away. */
export const reductionSchema = z.strictObject({
  /** The recorded history alone, without running anything again; null when it was not tried. */
  history: z
    .strictObject({
      operations: shrunkSchema,
      /** Ids of the operations that are left. */
      kept: z.array(z.string()),
      /** The state that they begin with; null, or not there, when they begin as the history does. */
      beginning: z
        .strictObject({
          /** As `init` of the model. */
          init: jsonSchema,
          /** In the words of the model. */
          state: z.string(),
          /** Id of the operation whose answer shows it. */
          shownBy: z.string(),
        })
        .nullable()
        .optional(),
      /** What the checker says of them. */
      explanation: z.string(),
      /** True when leaving out any single one of them makes the violation go away. */
      minimal: z.boolean(),
      ms: z.number(),
    })
    .nullable(),
  /** Fault events and operations, each candidate run again; null when that was not asked for. */
  rerun: z
    .strictObject({
      events: shrunkSchema,
      operations: shrunkSchema,
      clients: shrunkSchema,
      durationMs: z.strictObject({ from: z.number(), to: z.number() }),
      reruns: z.int(),
      /** Of the last re-runs of what is left, how many showed the violation. */
      confirmed: z.strictObject({ reruns: z.int(), reproduced: z.int() }),
      /** True when each remaining event was shown to be necessary; false when the budget of re-runs ended first. */
      minimal: z.boolean(),
      ms: z.number(),
    })
    .nullable(),
  /** The file that `nemesis replay` runs, relative to the session directory; null without one. */
  reproducer: z.string().nullable(),
  /** A scenario to paste into a test file, relative to the session directory; null without one. */
  snippet: z.string().nullable(),
})
export type Reduction = z.infer<typeof reductionSchema>
