import type { CheckResult } from '../../checkers/checker.js'
import type { Experiment } from '../../session/classification-record.js'

/** How an answer begins that stands for an exception of the checker. */
export const checkerFailed = 'the checker itself failed'

/** A checker that threw has judged nothing, whatever the history was; null when none did. */
export function checkerFailure(
  runs: readonly { readonly name: string; readonly checks: readonly CheckResult[] }[],
): Experiment | null {
  const failed = runs.flatMap(({ name, checks }) =>
    checks
      .filter(({ reason }) => reason?.startsWith(checkerFailed) === true)
      .map(({ checker, reason }) => ({ run: name, checker, reason: reason ?? '' })),
  )
  const [first] = failed
  if (first === undefined) return null
  return {
    name: 'checker to its end',
    question: 'Did every checker come to an answer?',
    outcome: `${first.checker} did not: ${first.reason}`,
    points: 'checker',
    clears: [],
    evidence: [...new Set(failed.map(({ run }) => run))],
  }
}
