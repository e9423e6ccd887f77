import type { CheckResult } from '../../checkers/checker.js'
import { messageOf } from '../../errors.js'
import { checkerFailed } from '../../findings/blame/checker-failure.js'
import type { RunRecord } from '../../session/record.js'
import type { ScenarioSpec } from '../spec.js'

/** What the checkers that judge all runs of a scenario together make of those that went to their end. */
export function judgeAcrossRuns(
  { checkers }: Pick<ScenarioSpec, 'checkers'>,
  runs: readonly RunRecord[],
): CheckResult[] {
  const complete = runs.filter(({ purpose, error }) => purpose === 'seed' && error === null)
  if (complete.length === 0) return []
  return checkers.flatMap((checker) => {
    if (checker.acrossRuns === undefined) return []
    const results = complete.flatMap(
      ({ checks }) => checks.find((check) => check.checker === checker.name) ?? [],
    )
    try {
      return [checker.acrossRuns(results)]
    } catch (error) {
      return [
        {
          checker: checker.name,
          model: null,
          valid: 'unknown',
          reason: `${checkerFailed} over all runs: ${messageOf(error)}`,
          operations: 0,
          coverage: 'all',
          evidence: {},
          anomalies: [],
          scope: [...checker.scope],
          ms: 0,
        },
      ]
    }
  })
}
