import { join } from 'node:path'
import { changedRun, type Change } from '../../findings/blame/changed-run.js'
import { checkerFailure } from '../../findings/blame/checker-failure.js'
import {
  hostSignals,
  slownessMatters,
  type Moment,
  type ViolatedRun,
} from '../../findings/blame/host-signals.js'
import { knownGoodHistory } from '../../findings/blame/known-good.js'
import { documentedRelaxations } from '../../findings/blame/relaxations.js'
import { failedWritesReadBack, invalidRequests } from '../../findings/blame/requests.js'
import type { Experiment } from '../../session/classification-record.js'
import { shortestAnomaly, violationOf, type Violation } from '../../findings/violation.js'
import type { Operation } from '../../history/operation.js'
import { readHistory } from '../../history/read.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import { systemsOf } from '../declaration/topologies.js'
import { changeAttempts, changesOf } from './changes.js'
import type { Passes } from './passes.js'

/**
 * Finds out who is to blame for what a scenario found: from the recorded runs, and from runs that are changed on purpose,
 * which are added to the record. Nothing to find out has no experiments.
 */
export async function experimentsOn(passes: Passes, record: ScenarioRecord): Promise<Experiment[]> {
  const broken = checkerFailure(record.runs)
  const violation = violationOf(record)
  if (violation === null) return broken === null ? [] : [broken]
  const recorded = await onTheRecord(passes, record, violation)
  const changed = await onChangedRuns(passes, record, violation)
  // Those that were changed may have been violated as well, on a machine that was quiet by then.
  const host = await onTheMachine(passes, record, violation)
  return [broken, ...recorded, host, ...changed].filter((experiment) => experiment !== null)
}

async function onTheRecord(
  { spec, environment }: Passes,
  record: ScenarioRecord,
  { run, check }: Violation,
): Promise<(Experiment | null)[]> {
  const { sessionDir, signal } = environment
  const model = spec.model ?? null
  const checker = spec.checkers.find(({ name }) => name === check.checker)
  const operations = await operationsOf(sessionDir, run)
  return [
    checker === undefined ? null : await knownGoodHistory({ checker, model, operations, signal }),
    ...(await documentedRelaxations(spec.blame === false ? [] : (spec.blame?.relaxations ?? []), {
      operations,
      model,
      run: run.name,
      signal,
    })),
    invalidRequests(run.name, operations),
    failedWritesReadBack(run.name, operations),
  ]
}

async function onTheMachine(
  { spec, environment }: Passes,
  record: ScenarioRecord,
  { check }: Violation,
): Promise<Experiment | null> {
  const checker = spec.checkers.find(({ name }) => name === check.checker)
  const violated = await Promise.all(
    violatedRuns(record, check.checker).map(async (run) =>
      withMoment(run, { operations: await operationsOf(environment.sessionDir, run), by: check.checker }),
    ),
  )
  const bySlowness = checker === undefined || slownessMatters(checker, check.model)
  return hostSignals(violated, { bySlowness })
}

/** Runs it again with one thing changed at a time. */
async function onChangedRuns(
  passes: Passes,
  record: ScenarioRecord,
  { run, check }: Violation,
): Promise<(Experiment | null)[]> {
  // What only all runs together show, a single one cannot show again.
  if (!run.checks.includes(check)) return []
  const reproducible = violatedRuns(record, check.checker).some(({ purpose }) => purpose === 'rerun')
  const experiments: (Experiment | null)[] = []
  // On the system that was violated, which may be one of several sizes: nothing else changes by the way.
  const on = systemsOf(passes.spec).find(({ name }) => name === run.system) ?? passes.spec.system
  for (const { change, spec, seedBy } of changesOf({ ...passes.spec, system: on }, passes.hasBody)) {
    let experiment: Experiment | null = null
    for (let attempt = 1; attempt <= changeAttempts && !tells(change, experiment); attempt++) {
      if (passes.cancelled) return experiments
      const changed = await passes.run({
        name: nameOf(change, attempt),
        purpose: 'experiment',
        seed: run.seed + seedBy * attempt,
        change: { system: on, ...spec },
      })
      record.runs.push(changed)
      experiment = changedRun(change, changed, { by: check.checker, reproducible }) ?? experiment
    }
    experiments.push(experiment)
  }
  return experiments
}

/** Whether there is nothing to be gained by a further attempt: other values and another order may miss a violation. */
function tells(change: Change, experiment: Experiment | null): boolean {
  return experiment !== null && (change !== 'another workload' || experiment.points !== null)
}

function nameOf(change: Change, attempt: number): string {
  return `experiment-${change.replaceAll(' ', '-')}${attempt === 1 ? '' : `-${attempt}`}`
}

/** Runs in which a checker found a violation, changed ones included. */
function violatedRuns({ runs }: Pick<ScenarioRecord, 'runs'>, checker: string): RunRecord[] {
  return runs.filter(({ checks }) =>
    checks.some((check) => check.checker === checker && check.valid === false),
  )
}

async function operationsOf(sessionDir: string, { history }: RunRecord): Promise<readonly Operation[]> {
  if (history === null) return []
  return (await readHistory(join(sessionDir, history), { allowEmpty: true })).operations
}

function withMoment(
  run: RunRecord,
  { operations, by }: { readonly operations: readonly Operation[]; readonly by: string },
): ViolatedRun {
  const check = run.checks.find(({ checker, valid }) => checker === by && valid === false)
  const anomaly = check === undefined ? undefined : shortestAnomaly(check)
  const ids = new Set(anomaly?.operations ?? [])
  const shown = operations.filter(({ op_id }) => ids.has(op_id))
  return { run, moment: shown.length === 0 ? null : momentOf(shown) }
}

function momentOf(operations: readonly Operation[]): Moment {
  return {
    from_ts: Math.min(...operations.map(({ invoke_ts }) => invoke_ts)),
    to_ts: Math.max(...operations.map(({ invoke_ts, complete_ts }) => complete_ts ?? invoke_ts)),
  }
}
