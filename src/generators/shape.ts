import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { problemsOf } from '../problems.js'

/** What a generated history looks like. The same shape and seed give the same history. */
export interface HistoryShape {
  readonly operations: number
  /** Clients that work at the same time. Default 5. */
  readonly processes?: number
  /**
   * Objects, each with a key of its own. Default 1, and then every operation has key null. Ledgers and transactions are
   * one object, which then has so many accounts, registers or lists, three at least.
   */
  readonly keys?: number
  /** Share of operations whose outcome is unknown; about half of them have taken effect. Default 0. */
  readonly unknown?: number
  /** Share of operations that failed and have not taken effect. Default 0. */
  readonly failed?: number
  readonly seed: number
}

const share = z.number().min(0).max(1).default(0)
const shapeSchema = z
  .strictObject({
    operations: z.int().nonnegative(),
    processes: z.int().positive().default(5),
    keys: z.int().positive().default(1),
    unknown: share,
    failed: share,
    seed: z.int(),
  })
  .refine(({ unknown, failed }) => unknown + failed <= 1, 'unknown and failed are more than 1 together')

/** The shape with its defaults. Throws DeclarationError naming what is wrong. */
export function shapeOf(given: HistoryShape): Required<HistoryShape> {
  const parsed = shapeSchema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new DeclarationError('history-shape', `the shape of a history: ${problemsOf(parsed.error)}`, {
    hint: 'such as { operations: 1000, processes: 5, keys: 10, unknown: 0.02, seed: 1 }',
  })
}
