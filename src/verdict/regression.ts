import type { ScenarioRecord } from '../session/record.js'
import type { Verdict } from './verdict.js'

/**
 * What a scenario that is pinned to a known-bad version or flag has shown of it.
 *
 * `expected`: it found a violation, as it must. `lost`: it ran and found none, so the pin or the oracle has changed.
 * `open`: it could not run. Null for a scenario that is pinned to nothing.
 */
export type Regression = 'expected' | 'lost' | 'open'

/** Tells a pinned scenario by its verdict. */
export function regressionOf(
  pinned: ScenarioRecord['regression'] | undefined,
  verdict: Verdict,
): Regression | null {
  if (pinned === null || pinned === undefined) return null
  if (verdict.startsWith('FAIL-')) return 'expected'
  return verdict === 'NOT-RUN' || verdict === 'INCONCLUSIVE-env' ? 'open' : 'lost'
}

/**
 * The verdict as the session counts it. An expected violation is no failure of the session and a pin that is lost no
 * success; every other verdict counts as it is.
 */
export function countedVerdict(pinned: ScenarioRecord['regression'] | undefined, verdict: Verdict): Verdict {
  const regression = regressionOf(pinned, verdict)
  if (regression === 'expected') return 'PASS-smoke'
  return regression === 'lost' ? 'PARTIAL-surface' : verdict
}

/** A record with the verdict that counts for the session. */
export function counted<
  Judged extends {
    readonly regression: ScenarioRecord['regression']
    readonly ruling: { readonly verdict: Verdict }
  },
>(record: Judged): Judged {
  const verdict = countedVerdict(record.regression, record.ruling.verdict)
  return { ...record, ruling: { ...record.ruling, verdict } }
}
