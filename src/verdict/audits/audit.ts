import { z } from 'zod'

/** Red flags say that a run may be green but broken; weak oracles, that a pass would rest on too little. */
export const redFlags = [
  'load-produced',
  'oracle-ran',
  'faults-injected',
  'no-silent-no-op',
  'clock-skew-harmless',
  'duration-met',
  'no-swallowed-errors',
  'recovered-to-nominal',
  'baseline-comparable',
  'replicated',
] as const

export const weakOracles = [
  'not-final-state-only',
  'not-logs-only',
  'not-health-checks-only',
  'not-a-single-failover',
  'not-no-error-metrics-only',
  'not-short-runs-only',
  'not-symmetric-partitions-only',
  'no-hidden-retries',
  'no-wall-clock-order',
  'not-one-topology',
  'not-one-seed',
  'not-a-single-surface',
  'not-positive-controls-only',
  'not-aggregate-fairness-only',
] as const

export const auditNames = [...redFlags, ...weakOracles] as const
export type AuditName = (typeof auditNames)[number]

/**
 * One of the twenty-four checks before a pass, computed from what was recorded.
 *
 * What cannot be evaluated is unmet, and its evidence says why.
 */
export const auditSchema = z.strictObject({
  name: z.enum(auditNames),
  group: z.enum(['red-flag', 'weak-oracle']),
  /** Its number within the group, from 1. */
  number: z.int(),
  result: z.enum(['met', 'unmet', 'not-applicable']),
  /** Recorded numbers and files that the result rests on, or why the check does not apply. Never empty. */
  evidence: z.array(z.string()).min(1),
  /** What it keeps a scenario from while it is unmet. */
  blocks: z.enum(['PASS', 'PASS-hardening']),
  /** The verdict that a pass becomes while it is unmet. */
  downgrade: z.enum(['PARTIAL-surface', 'PARTIAL-model']),
  /** Why the declaration lets the scenario pass although the check is unmet; null without such a waiver. */
  waiver: z.string().nullable(),
})
export type Audit = z.infer<typeof auditSchema>
