import { z } from 'zod'
import type { Duration } from '../time/duration.js'

/** What a run must reach to count for a tier. */
export interface BudgetTier {
  readonly duration: Duration
  readonly nodes: number
  /** Faults that landed. */
  readonly faults: number
  readonly seeds: number
}

/** A tier of a budget as it is recorded. */
export const budgetTierSchema = z.strictObject({
  duration: z.union([z.number(), z.string()]),
  nodes: z.int(),
  faults: z.int(),
  seeds: z.int(),
})

/** Says openly that no release tier exists, why, and when to think about it again. */
export interface ReleaseDisclosure {
  readonly notProvided: string
  readonly revisitWhen: string
}

export interface Budget {
  readonly smoke: BudgetTier
  readonly hardening?: BudgetTier
  readonly release?: BudgetTier | ReleaseDisclosure
}

export type Tier = 'smoke' | 'hardening' | 'release'
