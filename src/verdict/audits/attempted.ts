import type { ScenarioRecord } from '../../session/record.js'
import type { BudgetTier, Tier } from '../budget.js'

const tiers = ['smoke', 'hardening', 'release'] as const satisfies readonly Tier[]

/** The tier that the runs aim at: the one that was attempted, or the highest below it that is declared. */
export function aimedTier({ budget, tierAttempted }: Pick<ScenarioRecord, 'budget' | 'tierAttempted'>): {
  readonly tier: Tier
  readonly budget: BudgetTier
} | null {
  const within = tiers.slice(0, tiers.indexOf(tierAttempted) + 1).toReversed()
  for (const tier of within) {
    const declared = budget?.[tier]
    if (declared !== undefined && 'duration' in declared) return { tier, budget: declared as BudgetTier }
  }
  return null
}

/** True when the tier met is the given one or a higher one. */
export function reaches(met: ScenarioRecord['tierMet'], tier: Tier): boolean {
  return met !== 'none' && tiers.indexOf(met) >= tiers.indexOf(tier)
}
