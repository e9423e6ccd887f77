import { z } from 'zod'

/** What was counted of one `always()`, `sometimes()` or `unreachable()` in a run. */
export const propertySchema = z.strictObject({
  kind: z.enum(['always', 'sometimes', 'unreachable']),
  name: z.string(),
  /** Evaluations at which it held: the condition was true. Zero for `unreachable`. */
  held: z.int().nonnegative(),
  /** Evaluations at which it did not: the condition was false, or the place was reached. */
  broken: z.int().nonnegative(),
})
export type Property = z.infer<typeof propertySchema>
