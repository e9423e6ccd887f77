import type { CheckResult } from '../checkers/checker.js'
import type { RunRecord, ScenarioRecord } from '../session/record.js'

/** The run and the check that falsified a claim. */
export interface Violation {
  readonly run: RunRecord
  readonly check: CheckResult
}

/** The first violation that a scenario's seed runs recorded; null when none did. */
export function violationOf(record: Pick<ScenarioRecord, 'runs'>): Violation | null {
  for (const run of record.runs) {
    const check = run.checks.find(({ valid }) => valid === false)
    if (check !== undefined && run.purpose === 'seed') return { run, check }
  }
  return null
}

/** The run that a summary of the scenario is best told by: where it was violated, or where a fault did not land. */
export function tellingRun(record: Pick<ScenarioRecord, 'runs'>): RunRecord | undefined {
  const seeds = record.runs.filter((run) => run.purpose === 'seed')
  return (
    violationOf(record)?.run ?? seeds.find((run) => run.faults.some((fault) => !fault.landed)) ?? seeds[0]
  )
}
