import { DeclarationError } from '../errors.js'
import { milliseconds } from '../time/duration.js'
import type { Budget, BudgetTier } from './budget.js'
import type { VerdictFacts } from './verdict.js'

/** What a scenario's runs reached, over all of its seeds. */
export interface Reached {
  /** Milliseconds of workload in the shortest run. */
  readonly durationMs: number
  readonly nodes: number
  /** Faults that landed, over all seeds. */
  readonly faultsLanded: number
  readonly seeds: number
}

/**
 * The highest tier of the budget that the runs reached; a tier counts only when the ones below it are met too.
 * Without a declared budget every run counts as smoke and none as more.
 */
export function tierMet(budget: Budget | null | undefined, reached: Reached): VerdictFacts['tierMet'] {
  if (budget === null || budget === undefined) return 'smoke'
  if (!meets(budget.smoke, reached)) return 'none'
  if (budget.hardening === undefined || !meets(budget.hardening, reached)) return 'smoke'
  if (budget.release === undefined || 'notProvided' in budget.release) return 'hardening'
  return meets(budget.release, reached) ? 'release' : 'hardening'
}

function meets(tier: BudgetTier, reached: Reached): boolean {
  return (
    reached.durationMs >= milliseconds(tier.duration) &&
    reached.nodes >= tier.nodes &&
    reached.faultsLanded >= tier.faults &&
    reached.seeds >= tier.seeds
  )
}

/**
 * Throws DeclarationError, listing every dimension that is wrong, unless hardening asks for strictly more than smoke
 * (longer, more faults, more seeds, no fewer nodes) and release for no less than hardening.
 *
 * Nodes may stay the same: a system often has one sensible size.
 */
export function validateBudget(budget: Budget, where = 'budget'): void {
  const problems: string[] = []
  if (budget.hardening !== undefined) {
    const [smoke, hardening] = [dimensions(budget.smoke), dimensions(budget.hardening)]
    for (const name of ['duration', 'faults', 'seeds'] as const) {
      if (hardening[name] <= smoke[name]) {
        problems.push(
          `hardening.${name} (${budget.hardening[name]}) must be more than smoke.${name} (${budget.smoke[name]})`,
        )
      }
    }
    if (hardening.nodes < smoke.nodes) {
      problems.push(`hardening.nodes (${hardening.nodes}) must not be less than smoke.nodes (${smoke.nodes})`)
    }
  }
  if (budget.release !== undefined && !('notProvided' in budget.release)) {
    const below = budget.hardening ?? budget.smoke
    const [lower, release] = [dimensions(below), dimensions(budget.release)]
    for (const name of ['duration', 'nodes', 'faults', 'seeds'] as const) {
      if (release[name] < lower[name]) {
        problems.push(
          `release.${name} (${budget.release[name]}) must not be less than in the tier below (${below[name]})`,
        )
      }
    }
  }
  if (problems.length === 0) return
  throw new DeclarationError('budget', `${where}: ${problems.join('; ')}`, {
    hint: 'a hardening run is longer than a smoke run, meets more faults and repeats with more seeds',
  })
}

function dimensions(tier: BudgetTier): Record<keyof BudgetTier, number> {
  return { ...tier, duration: milliseconds(tier.duration, 'budget duration') }
}
