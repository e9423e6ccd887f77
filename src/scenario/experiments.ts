import { join } from 'node:path'
import { changedRun, type Change } from '../findings/blame/changed-run.js'
import { checkerFailure } from '../findings/blame/checker-failure.js'
import { hostSignals, type Moment, type ViolatedRun } from '../findings/blame/host-signals.js'
import { knownGoodHistory } from '../findings/blame/known-good.js'
import { documentedRelaxations } from '../findings/blame/relaxations.js'
import { failedWritesReadBack, invalidRequests } from '../findings/blame/requests.js'
import type { Experiment } from '../session/classification-record.js'
import { shortestAnomaly, violationOf, type Violation } from '../findings/violation.js'
import type { Operation } from '../history/operation.js'
import { readHistory } from '../history/read.js'
import type { RunRecord, ScenarioRecord } from '../session/record.js'
import { changesOf } from './changes.js'
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
  return [broken, ...recorded, ...(await onChangedRuns(passes, record, violation))].filter(
    (experiment) => experiment !== null,
  )
}

async function onTheRecord(
  { spec, environment }: Passes,
  record: ScenarioRecord,
  { run, check }: Violation,
): Promise<(Experiment | null)[]> {
  const { sessionDir, signal } = environment
  const model = spec.model ?? null
  const checker = spec.checkers.find(({ name }) => name === check.checker)
  const histories = await historiesOf(sessionDir, record)
  const operations = histories.get(run.name) ?? []
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
    hostSignals(violatedRuns(record).map((violated) => withMoment(violated, histories))),
  ]
}

/** Runs it again with one thing changed at a time. */
async function onChangedRuns(
  passes: Passes,
  record: ScenarioRecord,
  { run, check }: Violation,
): Promise<(Experiment | null)[]> {
  // What only all runs together show, a single one cannot show again.
  if (!run.checks.includes(check)) return []
  const reproducible = violatedRuns(record).some(({ purpose }) => purpose === 'rerun')
  const experiments: (Experiment | null)[] = []
  for (const { change, spec, seedBy } of changesOf(passes.spec, passes.hasBody)) {
    if (passes.cancelled) return experiments
    const changed = await passes.run({
      name: nameOf(change),
      purpose: 'experiment',
      seed: run.seed + seedBy,
      change: spec,
    })
    record.runs.push(changed)
    experiments.push(changedRun(change, changed, { reproducible }))
  }
  return experiments
}

function nameOf(change: Change): string {
  return `experiment-${change.replaceAll(' ', '-')}`
}

function violatedRuns({ runs }: Pick<ScenarioRecord, 'runs'>): RunRecord[] {
  return runs.filter(
    ({ purpose, checks }) => purpose !== 'experiment' && checks.some(({ valid }) => valid === false),
  )
}

async function historiesOf(
  sessionDir: string,
  record: ScenarioRecord,
): Promise<ReadonlyMap<string, readonly Operation[]>> {
  const histories = new Map<string, readonly Operation[]>()
  for (const { name, history } of violatedRuns(record)) {
    if (history === null) continue
    const { operations } = await readHistory(join(sessionDir, history), { allowEmpty: true })
    histories.set(name, operations)
  }
  return histories
}

function withMoment(run: RunRecord, histories: ReadonlyMap<string, readonly Operation[]>): ViolatedRun {
  const check = run.checks.find(({ valid }) => valid === false)
  const anomaly = check === undefined ? undefined : shortestAnomaly(check)
  const ids = new Set(anomaly?.operations ?? [])
  const shown = (histories.get(run.name) ?? []).filter(({ op_id }) => ids.has(op_id))
  return { run, moment: shown.length === 0 ? null : momentOf(shown) }
}

function momentOf(operations: readonly Operation[]): Moment {
  return {
    from_ts: Math.min(...operations.map(({ invoke_ts }) => invoke_ts)),
    to_ts: Math.max(...operations.map(({ invoke_ts, complete_ts }) => complete_ts ?? invoke_ts)),
  }
}
