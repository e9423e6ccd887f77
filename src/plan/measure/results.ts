import type { ScenarioRecord } from '../../session/record.js'
import type { Verdict } from '../../verdict/verdict.js'
import type { Reference } from '../position.js'

/** What came of a scenario that a plan names. */
export interface Result {
  readonly id: string
  /** `NOT-RUN` when nothing of it was recorded. */
  readonly verdict: Verdict
  readonly reason: string
}

/** What is recorded of the scenarios with these ids: of one with arms, of every arm. */
export function resultsOf(
  references: readonly Reference[],
  recorded: readonly Pick<ScenarioRecord, 'id' | 'arm' | 'ruling'>[],
): Result[] {
  const ids = [...new Set(references.map(({ id }) => id))]
  return ids.flatMap((id) => {
    const records = recorded.filter((record) => record.id === id || record.arm?.id === id)
    if (records.length === 0) {
      return [{ id, verdict: 'NOT-RUN' as const, reason: 'nothing of it was recorded in this session' }]
    }
    return records.map((record) => ({
      id: record.id,
      verdict: record.ruling.verdict,
      reason: record.ruling.reason,
    }))
  })
}

/** True for a verdict by which something was learnt about the claim: a pass or a violation. */
export function settles(verdict: Verdict): boolean {
  return verdict.startsWith('PASS-') || verdict.startsWith('FAIL-')
}
