import { z } from 'zod'

export const categories = [
  'safety',
  'liveness',
  'durability',
  'performance-slo',
  'operational',
  'idempotency',
  'isolation',
  'ordering',
  'membership',
  'boundary',
  'fairness',
] as const

export const categorySchema = z.enum(categories)
export type Category = z.infer<typeof categorySchema>

/** What the system promises. `inferred` marks a promise found in the code rather than in the documentation. */
export const claimSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z][\w.-]*$/, "a claim id is a short name such as 'C1'"),
  text: z.string().min(1),
  categories: z.array(categorySchema).min(1),
  source: z.string().nullable(),
  inferred: z.boolean(),
  /** True when it speaks of every size of the system that keeps a quorum: one size is then no proof. */
  anySize: z.boolean(),
})
export type Claim = z.infer<typeof claimSchema>

const seriousCategories: ReadonlySet<Category> = new Set([
  'safety',
  'durability',
  'idempotency',
  'isolation',
  'ordering',
  'membership',
])

/** True for the name of a category that makes a scenario serious. */
export function isSeriousCategory(category: string): boolean {
  return seriousCategories.has(category as Category)
}

/** A scenario is serious when a claim that it falsifies is about more than speed, liveness or operation. */
export function isSerious(claims: readonly Claim[]): boolean {
  return claims.some((claim) => claim.categories.some(isSeriousCategory))
}
