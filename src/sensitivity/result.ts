import { z } from 'zod'

/** What a checker made of mutants of a history that it had found clean. */
export const sensitivitySchema = z.strictObject({
  checker: z.string(),
  /** Mutants that its claim forbids, and that it was asked about. */
  mutants: z.int().nonnegative(),
  /** Mutants that it called invalid. */
  killed: z.int().nonnegative(),
  /** How many mutants of each mutation there were, and how many of them were noticed. */
  mutations: z.array(z.strictObject({ name: z.string(), mutants: z.int(), killed: z.int() })),
  /** Mutants that it did not notice, each in words. */
  survivors: z.array(z.strictObject({ mutation: z.string(), what: z.string() })),
  /** The share of mutants that must be noticed. */
  floor: z.number(),
  /** Why there are no mutants, or fewer than asked for; null otherwise. */
  reason: z.string().nullable(),
  ms: z.number().nonnegative(),
})
export type Sensitivity = z.infer<typeof sensitivitySchema>
