import type { Verdict } from './verdict.js'

export const sessionVerdicts = ['FAIL', 'DONE', 'DONE_WITH_CONCERNS', 'INCONCLUSIVE', 'BLOCKED'] as const
export type SessionVerdict = (typeof sessionVerdicts)[number]

/**
 * What a session as a whole says, from the verdicts of its scenarios; of one with arms, from that of all its arms
 * together (`scenarioVerdicts`).
 *
 * `BLOCKED`: nothing could run at all, so nothing was learnt. A session without scenarios is blocked too.
 */
export function sessionVerdict(verdicts: readonly Verdict[]): SessionVerdict {
  if (verdicts.some((verdict) => verdict.startsWith('FAIL-'))) return 'FAIL'
  const passes = verdicts.filter((verdict) => verdict.startsWith('PASS-')).length
  if (passes > 0) return passes === verdicts.length ? 'DONE' : 'DONE_WITH_CONCERNS'
  const nothingRan = verdicts.every((verdict) => verdict === 'NOT-RUN' || verdict === 'INCONCLUSIVE-env')
  return nothingRan ? 'BLOCKED' : 'INCONCLUSIVE'
}
