import { DeclarationError } from '../errors.js'
import type { RunRecord, ScenarioRecord } from '../session/record.js'
import { milliseconds } from '../time/duration.js'
import type { Budget, BudgetTier } from './budget.js'
import type { VerdictFacts } from './verdict.js'

type Dimension = keyof BudgetTier
const dimensions = ['duration', 'nodes', 'faults', 'seeds'] as const satisfies readonly Dimension[]

/** The numbers of a tier, or what runs reached: milliseconds, nodes, faults that landed, seeds. */
type Measures = Readonly<Record<Dimension, number>>

/** One dimension in which runs stayed below a tier; durations in milliseconds. */
export interface Shortfall {
  readonly dimension: Dimension
  readonly reached: number
  readonly needed: number
}

type Recorded = Pick<ScenarioRecord, 'budget' | 'runs'>

/**
 * The highest tier whose budget the recorded runs have met; a tier counts only when the ones below it are met too.
 *
 * Each system of a scenario is measured alone, over its seeds, and the one that reached most counts: a second topology
 * never makes a tier harder to meet, and never lends its seeds or faults to another. Runs that did not go to their end,
 * re-runs and experiments count for nothing. Without a declared budget every run counts as smoke and none as more.
 */
export function tierMetBy({ budget, runs }: Recorded): VerdictFacts['tierMet'] {
  const reached = reachedBySystem(runs)
  if (reached.length === 0) return 'none'
  if (budget === null) return 'smoke'
  const met = (tier: BudgetTier) => reached.some((one) => shortfalls(tier, one).length === 0)
  if (!met(budget.smoke as BudgetTier)) return 'none'
  if (budget.hardening === undefined || !met(budget.hardening as BudgetTier)) return 'smoke'
  if (budget.release === undefined || 'notProvided' in budget.release) return 'hardening'
  return met(budget.release as BudgetTier) ? 'release' : 'hardening'
}

/**
 * Where the runs stayed below the tier that was attempted, in words: the dimensions, by how much. Null when it was met,
 * and when nothing ran to its end.
 * `the hardening budget was not met: faults 2 of 3 (1 short), duration 28.4 s of 30 s (1.6 s short)`
 */
export function belowAttempted({
  budget,
  runs,
  tierAttempted,
}: Recorded & Pick<ScenarioRecord, 'tierAttempted'>): string | null {
  const reached = reachedBySystem(runs)
  if (reached.length === 0) return null
  const tier = budget?.[tierAttempted]
  if (tier === undefined) {
    return tierAttempted === 'smoke' ? null : `no ${tierAttempted} budget is declared`
  }
  if ('notProvided' in tier) return `no ${tierAttempted} budget is provided: ${tier.notProvided}`
  const [nearest = []] = reached
    .map((one) => shortfalls(tier as BudgetTier, one))
    .toSorted((a, b) => a.length - b.length)
  return nearest.length === 0
    ? null
    : `the ${tierAttempted} budget was not met: ${nearest.map(inWords).join(', ')}`
}

/** The dimensions of a tier that were not reached; empty when all were. */
function shortfalls(tier: BudgetTier, reached: Measures): Shortfall[] {
  const needed = measuresOf(tier)
  return dimensions
    .filter((dimension) => !(reached[dimension] >= needed[dimension]))
    .map((dimension) => ({ dimension, reached: reached[dimension], needed: needed[dimension] }))
}

function inWords({ dimension, reached, needed }: Shortfall): string {
  const tell = (amount: number) => (dimension === 'duration' ? seconds(amount) : String(amount))
  return `${dimension} ${tell(reached)} of ${tell(needed)} (${tell(needed - reached)} short)`
}

/** Down to the millisecond, so that what is just short does not read as enough. */
function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`
}

/** What the runs on each system reached, in order of the systems' first runs. */
function reachedBySystem(runs: readonly RunRecord[]): Measures[] {
  const complete = runs.filter(({ purpose, error }) => purpose === 'seed' && error === null)
  return [...new Set(complete.map(({ system }) => system))].map((system) => {
    const own = complete.filter((run) => run.system === system)
    return {
      duration: Math.min(...own.map(({ durationMs }) => durationMs)),
      nodes: Math.min(...own.map(({ nodes }) => nodes.length)),
      faults: own.flatMap(({ faults }) => faults).filter(({ landed }) => landed).length,
      seeds: new Set(own.map(({ seed }) => seed)).size,
    }
  })
}

/**
 * Throws DeclarationError, listing every dimension that is wrong, unless hardening asks for strictly more than smoke in
 * every dimension and release for no less than the tier below it.
 *
 * A tier's numbers are minimums, so a system of three nodes has `nodes: 1` in its smoke tier and `nodes: 3` in hardening.
 */
export function validateBudget(budget: Budget, where = 'budget'): void {
  const problems: string[] = []
  const { smoke, hardening, release } = budget
  if (hardening !== undefined) {
    problems.push(
      ...below(hardening, smoke, (more, less) => more > less).map(
        (name) => `hardening.${name} (${hardening[name]}) must be more than smoke.${name} (${smoke[name]})`,
      ),
    )
  }
  if (release !== undefined && !('notProvided' in release)) {
    const lower = hardening ?? smoke
    problems.push(
      ...below(release, lower, (more, less) => more >= less).map(
        (name) =>
          `release.${name} (${release[name]}) must not be less than in the tier below (${lower[name]})`,
      ),
    )
  }
  if (problems.length === 0) return
  throw new DeclarationError('budget', `${where}: ${problems.join('; ')}`, {
    hint:
      'the numbers are minimums, and hardening asks for more than smoke in each: on a system of three nodes write ' +
      '`nodes: 1` for smoke and `nodes: 3` for hardening',
  })
}

function below(
  tier: BudgetTier,
  lower: BudgetTier,
  fits: (more: number, less: number) => boolean,
): readonly Dimension[] {
  const [upper, under] = [measuresOf(tier), measuresOf(lower)]
  return dimensions.filter((name) => !fits(upper[name], under[name]))
}

function measuresOf(tier: BudgetTier): Measures {
  return { ...tier, duration: milliseconds(tier.duration, 'budget duration') }
}
