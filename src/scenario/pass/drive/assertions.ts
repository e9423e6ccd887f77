import type { CheckResult } from '../../../checkers/checker.js'
import { messageOf } from '../../../errors.js'

/**
 * The result of a body's own assertion that failed (node:assert, chai, Vitest's expect), as that of a checker; null for
 * any other error, which means that the body itself is broken.
 */
export function assertionFailure(error: unknown): CheckResult | null {
  if (!(error instanceof Error) || !/assertion/i.test(error.name)) return null
  return {
    checker: 'body assertions',
    model: null,
    valid: false,
    reason: null,
    operations: 0,
    coverage: 'all',
    evidence: { assertionsFailed: 1 },
    anomalies: [{ type: 'assertion', explanation: messageOf(error), operations: [] }],
    scope: ['only what the body asserts'],
    ms: 0,
  }
}
