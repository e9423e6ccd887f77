import { z } from 'zod'
import { budgetTierSchema } from '../verdict/budget.js'
import { confusions } from './confusable/confusion.js'

const text = z.string().min(1)

/** There is nothing of the kind, and why. */
export const noneSchema = z.strictObject({ none: text })

/** Ways by which a surface is reached, or the reason why there are none. */
export const pathsSchema = z.union([z.array(text).min(1), noneSchema])
export type Paths = z.infer<typeof pathsSchema>

/** What one arm of a boundary or fairness scenario covers, in thirteen fields. */
export const boundaryMatrixSchema = z.strictObject({
  /** Ids of the claims. */
  claim: z.array(text).min(1),
  /** What tells one scope from another, such as tenant and document id. */
  keys: z.array(text).min(1),
  surfaces: z.array(text).min(1),
  /** Types of operations that the workload performs; empty for an imperative body. */
  operations: z.array(text),
  positiveControls: z.array(text),
  negativeControls: z.array(text),
  /** Kinds of look-alikes that the controls are tried with. */
  confusableIdentifiers: z.union([z.array(z.enum(confusions)).min(1), noneSchema]),
  /** Delayed and asynchronous ways, such as a queue behind the surface. */
  asyncPaths: pathsSchema,
  /** What runs by itself, such as compaction and expiry. */
  backgroundPaths: pathsSchema,
  /** Where a crossing of the boundary would be seen. */
  observabilityPaths: pathsSchema,
  /** Names of the checkers. */
  oracle: z.array(text).min(1),
  minimumSmokeBudget: budgetTierSchema.nullable(),
  minimumHardeningBudget: budgetTierSchema.nullable(),
})
export type BoundaryMatrix = z.infer<typeof boundaryMatrixSchema>

/** What an arm covers, and beside which other arms: no arm alone covers a boundary. */
export const boundarySchema = z.strictObject({
  matrix: boundaryMatrixSchema,
  /** All arms of the scenario in order, this one among them, with their surfaces. */
  arms: z.array(z.strictObject({ name: text, surfaces: z.array(text).min(1) })),
})
export type Boundary = z.infer<typeof boundarySchema>
