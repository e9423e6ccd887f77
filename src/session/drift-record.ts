import { z } from 'zod'

/** A place where a plan and its tests have moved apart. */
export const driftSchema = z.strictObject({
  /**
   * `unimplemented`: no test declares a scenario of the plan. `unplanned`: the plan has no such scenario. `changed`: the plan's
   * part of a scenario is not what its test was generated from. `claim`: the text of a claim differs between plan and test.
   */
  kind: z.enum(['unimplemented', 'unplanned', 'changed', 'claim']),
  /** Of the scenario or the claim. */
  id: z.string(),
  detail: z.string(),
})
export type Drift = z.infer<typeof driftSchema>
