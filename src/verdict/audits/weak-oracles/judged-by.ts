import type { Category } from '../../../claim/claim.js'
import { judged, notApplicable, type AuditCheck, type Outcome } from '../check.js'
import { oracleInWords, oraclesOf, type Oracle } from '../oracles.js'
import { categoriesOf } from '../recorded.js'
import type { Audited } from '../check.js'

/** Replay equivalence, invariants over the final state, reconciliation of replicas. */
const finalStatePatterns = [3, 12, 13]
/** Checkers of those patterns that judge every read of the history as well. */
const judgeReads = ['bank-total', 'counter']
/** Controls are tried once the system has come to rest. */
const afterwards = 'controls'
const objectives = 4
/** Claims that are about metrics themselves. */
const metricCategories: readonly Category[] = ['liveness', 'performance-slo', 'operational']

/** Something judges what clients saw on the way, not only where the system ended up. */
export const notFinalStateOnly: AuditCheck = {
  name: 'not-final-state-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate: (audited) =>
    supported(
      audited,
      ({ name, pattern }) =>
        judgeReads.includes(name) || (name !== afterwards && !finalStatePatterns.includes(pattern)),
      'only the final state was judged, not what clients saw on the way',
    ),
}

/** Something judges operations: that logs look fine supports nothing. */
export const notLogsOnly: AuditCheck = {
  name: 'not-logs-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate: (audited) => supported(audited, () => true, ''),
}

/** Something judges more than whether the system answers, unless nothing else is claimed. */
export const notHealthChecksOnly: AuditCheck = {
  name: 'not-health-checks-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate: (audited) =>
    supported(
      audited,
      ({ name }) => name !== 'availability' || claimsMetrics(audited),
      'only whether the system answers was judged',
    ),
}

/** Something judges more than rates and errors, unless the claim is about those. */
export const notNoErrorMetricsOnly: AuditCheck = {
  name: 'not-no-error-metrics-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    if (claimsMetrics(audited)) {
      const categories = categoriesOf(audited.record).join(', ')
      return notApplicable(`what is claimed (${categories}) is measured by metrics`)
    }
    return supported(
      audited,
      ({ pattern }) => pattern !== objectives,
      'only metrics were judged: that there were no errors does not show that the answers were right',
    )
  },
}

function claimsMetrics({ record }: Audited): boolean {
  const categories = categoriesOf(record)
  return categories.length > 0 && categories.every((category) => metricCategories.includes(category))
}

function supported(audited: Audited, supports: (oracle: Oracle) => boolean, lack: string): Outcome {
  const oracles = oraclesOf(audited)
  if (oracles.length === 0) return judged(['no checker gave an answer on operations of every run'], [])
  const good = oracles.filter(supports)
  return good.length > 0 ? judged([], good.map(oracleInWords)) : judged([lack], oracles.map(oracleInWords))
}
