import type { Nemesis } from '../../nemesis/fault.js'
import { changeWithinDefaultMs } from '../../nemesis/nemesis.js'
import { faultsIn, lengthMs } from '../../nemesis/schedule/plan.js'
import { milliseconds } from '../../time/duration.js'
import type { BudgetTier, Tier } from '../../verdict/budget.js'
import { changeAttempts, changesOf } from '../runs/changes.js'
import { reduceWithinMs } from '../reduce/options.js'
import type { ScenarioSpec } from '../spec.js'
import { systemsOf } from './topologies.js'

const defaultDurationMs = 5_000
const checkAllowanceMs = 60_000
const defaultReruns = 2

/** The longest that a workload goes on after the recovery from the last fault. */
export const longestAfterMs = 2_000

/** The longest that one step of a control may take. */
export const controlStepMs = 10_000

/** A control connects, and has four steps at most. */
const controlLimitMs = 5 * controlStepMs

/** The longest that an imperative body may take in one pass. */
export const bodyLimitMs = 300_000

/** How many further runs with the same seed decide whether a violation is reproducible. */
export function rerunsOf(spec: Pick<ScenarioSpec, 'reruns'>): number {
  return spec.reruns ?? defaultReruns
}

/** The budget of the tier that is attempted; of the next lower one that is declared. */
export function budgetOf(spec: ScenarioSpec, tier: Tier): BudgetTier | null {
  const { budget } = spec
  if (budget === undefined) return null
  if (tier === 'release' && budget.release !== undefined && 'duration' in budget.release)
    return budget.release
  if (tier !== 'smoke' && budget.hardening !== undefined) return budget.hardening
  return budget.smoke
}

/** Milliseconds that the workload runs: the budget's duration, or longer when the schedule of faults needs it. */
export function workloadMs(spec: ScenarioSpec, tier: Tier): number {
  const budget = budgetOf(spec, tier)
  const declared = budget === null ? defaultDurationMs : milliseconds(budget.duration, 'budget.duration')
  return Math.max(declared, ...(spec.nemesis ?? []).map(lengthMs))
}

/** How long the system may take to serve, and after the faults to recover and come to rest. */
export function settleMs(spec: ScenarioSpec): number {
  return milliseconds(spec.system.spec.settle ?? '30s', 'system.settle')
}

/** What a fault that was given more time than usual for its change may add. */
function longChangeMs({ changeWithinMs }: Nemesis): number {
  return 2 * Math.max(0, changeWithinMs - changeWithinDefaultMs)
}

/** How long the controls of an arm may take in one pass, each as often as it is tried. */
function controlsMs({ arm }: ScenarioSpec): number {
  const tries = (arm?.controls ?? []).map(({ confusable }) => confusable?.length ?? 1)
  return tries.reduce((sum, count) => sum + count, 0) * controlLimitMs
}

/** The time limit of the whole scenario: every seed, re-run and attempt of a changed run, each at its slowest. */
export function scenarioLimitMs(spec: ScenarioSpec, tier: Tier, hasBody: boolean): number {
  const faults = (spec.nemesis ?? []).flatMap(faultsIn)
  const landing = faults.reduce((sum, nemesis) => sum + nemesis.landWithinMs + longChangeMs(nemesis), 0)
  const settle = Math.max(...systemsOf(spec).map((system) => settleMs({ ...spec, system })))
  const driving = hasBody ? bodyLimitMs : workloadMs(spec, tier) * 2 + longestAfterMs
  const pass = settle * 5 + driving + landing + controlsMs(spec) + checkAllowanceMs
  const seeds = (budgetOf(spec, tier)?.seeds ?? 1) * systemsOf(spec).length
  const reduce = spec.reduce === undefined ? 0 : reduceWithinMs(spec.reduce) + pass
  const changed = changesOf(spec, hasBody).length * changeAttempts
  return pass * (seeds + rerunsOf(spec) + changed) + reduce
}
