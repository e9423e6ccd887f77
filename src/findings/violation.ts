import type { Anomaly, CheckResult } from '../checkers/checker.js'
import type { RunRecord, ScenarioRecord } from '../session/record.js'

/** The run and the check that falsified a claim. */
export interface Violation {
  readonly run: RunRecord
  readonly check: CheckResult
}

/** The first violation that a scenario's seed runs recorded, or that all of them together show; null without any. */
export function violationOf(record: Pick<ScenarioRecord, 'runs' | 'across'>): Violation | null {
  for (const run of record.runs) {
    const check = run.checks.find(({ valid }) => valid === false)
    if (check !== undefined && run.purpose === 'seed') return { run, check }
  }
  const [run] = record.runs
  const check = record.across.find(({ valid }) => valid === false)
  return run === undefined || check === undefined ? null : { run, check }
}

/** The anomaly that takes the fewest operations to show, the first of those; undefined when the check names none. */
export function shortestAnomaly(check: Pick<CheckResult, 'anomalies'>): Anomaly | undefined {
  const shown = check.anomalies.filter(({ operations }) => operations.length > 0)
  return shown.toSorted((one, other) => one.operations.length - other.operations.length)[0]
}

/** An anomaly of no more operations is shown together with a core that begins with a state. */
const mostTold = 8

/** What shows a violation best: its core where that is not larger than the shortest anomaly, else that anomaly. */
export interface Proof {
  readonly explanation: string
  /** Ids of the operations, as text. */
  readonly operations: readonly string[]
}

/** What to show of a scenario's violation; null when there is none, or when nothing names its operations. */
export function proofOf(record: Pick<ScenarioRecord, 'runs' | 'across' | 'reduction'>): Proof | null {
  const violation = violationOf(record)
  if (violation === null) return null
  const anomaly = shortestAnomaly(violation.check)
  const core = record.reduction?.history ?? null
  if (core !== null && core.beginning && anomaly !== undefined) {
    // What is not possible from a state on does not say how it came to that: the checker does, where its words are few.
    const told = anomaly.operations.length <= mostTold ? anomaly.operations.map(String) : []
    return {
      explanation: `${anomaly.explanation} ${core.explanation}`,
      operations: [...new Set([core.beginning.shownBy, ...core.kept, ...told])],
    }
  }
  if (core !== null && core.kept.length <= (anomaly?.operations.length ?? Infinity)) {
    return { explanation: core.explanation, operations: core.kept }
  }
  if (anomaly === undefined) return null
  return { explanation: anomaly.explanation, operations: anomaly.operations.map(String) }
}

/** The run that a summary of the scenario is best told by: where it was violated, or where a fault did not land. */
export function tellingRun(record: Pick<ScenarioRecord, 'runs' | 'across'>): RunRecord | undefined {
  const seeds = record.runs.filter((run) => run.purpose === 'seed')
  return (
    violationOf(record)?.run ?? seeds.find((run) => run.faults.some((fault) => !fault.landed)) ?? seeds[0]
  )
}
