import { z } from 'zod'
import { boundarySchema } from '../boundary/matrix.js'
import { checkResultSchema } from '../checkers/checker.js'
import { claimSchema } from '../claim/claim.js'
import { classificationSchema } from './classification-record.js'
import { reductionSchema } from './reduction-record.js'
import { faultWindowSchema } from '../nemesis/evidence.js'
import { scheduledSchema } from '../nemesis/schedule/record.js'
import { propertySchema } from '../properties/property.js'
import { sensitivitySchema } from '../sensitivity/result.js'
import { capabilityNames } from '../systems/capabilities.js'
import { auditSchema } from '../verdict/audits/audit.js'
import { budgetTierSchema } from '../verdict/budget.js'
import { sessionVerdicts } from '../verdict/session.js'
import { verdicts } from '../verdict/verdict.js'
import { driftSchema } from './drift-record.js'
import { hostSchema } from './host-record.js'
import {
  controlSchema,
  loadSliceSchema,
  logScanSchema,
  nominalSchema,
  recordingSchema,
} from './observation-record.js'

/**
 * What is written to disk about a scenario and a session. Reports are computed from these records alone.
 *
 * Paths are relative to the session directory, with forward slashes.
 */
export const schemaVersion = 1

export const loadSchema = z.strictObject({
  /** `open`: operations start at the given rate. `closed`: each client waits for its answer. */
  loop: z.enum(['open', 'closed']),
  intendedRate: z.number().nullable(),
  invoked: z.int(),
  ok: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /** Operations a second over the workload phase. */
  rate: z.number(),
  /** The workload phase in slices of equal length, in order. */
  slices: z.array(loadSliceSchema),
  /** Milliseconds from intended start to answer, of ok operations; null without any. */
  latency: z.strictObject({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() }).nullable(),
})
export type Load = z.infer<typeof loadSchema>

/** One pass over the system: set up, drive, fault, heal, quiesce, check. */
export const runRecordSchema = z.strictObject({
  /** `main`, `seed-2`, `rerun-1`, … unique in the scenario. */
  name: z.string(),
  /**
   * `seed`: counts for the verdict. `rerun`: the same again after a violation. `experiment`: changed on purpose, to find
   * out who is to blame; its name says how.
   */
  purpose: z.enum(['seed', 'rerun', 'experiment']),
  seed: z.int(),
  startedAt: z.string(),
  /** Milliseconds that the workload phase lasted. */
  durationMs: z.number(),
  /** Name of the system, which differs between runs of a scenario with several topologies. */
  system: z.string(),
  nodes: z.array(z.string()),
  systemKind: z.string(),
  /** What the system offers to faults, by the way in which it does. */
  offers: z.partialRecord(z.enum(capabilityNames), z.string()),
  recording: recordingSchema,
  history: z.string().nullable(),
  logs: z.array(z.string()),
  load: loadSchema.nullable(),
  faults: z.array(faultWindowSchema),
  /** Every declared fault and random schedule in order, with what was drawn and fired of it. */
  schedule: z.array(scheduledSchema),
  /**
   * Milliseconds from the last heal until the system was ready again and, once the workload had ended, quiescent; null
   * when it never was.
   */
  recoveryMs: z.number().nullable(),
  /** How the system served before the faults and after them; null when nothing was measured. */
  nominal: nominalSchema.nullable(),
  /** What the logs of the nodes say; null when they were not read. */
  logScan: logScanSchema.nullable(),
  /** What happened to the machine meanwhile; null when it was not watched. */
  host: hostSchema.nullable(),
  controls: z.array(controlSchema),
  checks: z.array(checkResultSchema),
  /** Whether the checkers that found nothing would have noticed something. */
  sensitivity: z.array(sensitivitySchema),
  /** Properties asserted inside operations, clients and invariants. */
  properties: z.array(propertySchema),
  /** What the history lacks for its checkers, in words; empty when it is strong enough. */
  weak: z.array(z.string()),
  /** Remarks about the run, such as clients that could not be closed. */
  notes: z.array(z.string()),
  /**
   * What ended the run early, with the phase in which it happened; null when it went to its end.
   * `environment`: the machine or the system would not start or serve. `harness`: the test itself is broken.
   * `interrupted`: the run was cancelled.
   */
  error: z
    .strictObject({
      phase: z.string(),
      kind: z.enum(['environment', 'harness', 'interrupted']),
      message: z.string(),
      hint: z.string().nullable(),
    })
    .nullable(),
})
export type RunRecord = z.infer<typeof runRecordSchema>

export const rulingSchema = z.strictObject({
  verdict: z.enum(verdicts),
  row: z.int(),
  reason: z.string(),
})

export const scenarioRecordSchema = z.strictObject({
  schema: z.literal(schemaVersion),
  /** The declared id, such as `S3`. */
  id: z.string(),
  name: z.string(),
  /** File and line of the declaration, relative to the project root. */
  location: z.string().nullable(),
  claims: z.array(claimSchema),
  serious: z.boolean(),
  /** Name and id of the scenario that it is an arm of, and the arm's own name; null for one that stands alone. */
  arm: z.strictObject({ of: z.string(), id: z.string(), name: z.string() }).nullable(),
  /** What an arm covers; null for a scenario that stands alone. */
  boundary: boundarySchema.nullable(),
  system: z.string(),
  /** Names of the systems of other sizes that it runs on as well. */
  topologies: z.array(z.string()),
  /** Digest of what drives and judges: runs are comparable only when it is the same. */
  harness: z.string(),
  model: z.string().nullable(),
  checkers: z.array(
    z.strictObject({
      name: z.string(),
      pattern: z.int(),
      scope: z.array(z.string()),
      usesModel: z.boolean(),
      /** Why the checker does not fit the model or the claim; null when it does. */
      misfit: z.string().nullable(),
      /** Digest of the harness that measured what it compares with; left out when it compares with nothing, or it is not known. */
      comparedWith: z.string().optional(),
    }),
  ),
  /** Declared faults in order, in words. */
  nemesis: z.array(z.string()),
  budget: z
    .strictObject({
      smoke: budgetTierSchema,
      hardening: budgetTierSchema.optional(),
      release: z
        .union([budgetTierSchema, z.strictObject({ notProvided: z.string(), revisitWhen: z.string() })])
        .optional(),
    })
    .nullable(),
  tierAttempted: z.enum(['smoke', 'hardening', 'release']),
  tierMet: z.enum(['none', 'smoke', 'hardening', 'release']),
  ruling: rulingSchema,
  runs: z.array(runRecordSchema),
  audits: z.array(auditSchema),
  /** What a violation is and whose; null without one. */
  classification: classificationSchema.nullable(),
  /** What is left of a violation; null without one. */
  reduction: reductionSchema.nullable(),
  /** The known-bad version or flag on which it must find a violation, and when it last did; null for others. */
  regression: z.strictObject({ of: z.string(), lastFailedAt: z.string().nullable() }).nullable(),
  /** Checks of all runs together. */
  across: z.array(checkResultSchema),
  /** Names of `sometimes()` properties that must come true at least once. */
  sometimes: z.array(z.string()),
  /** Capabilities that were needed and missing. */
  missing: z.array(z.strictObject({ what: z.string(), hint: z.string() })),
  /** Remarks for the reader: weak history, bypasses, clamps. */
  notes: z.array(z.string()),
  finishedAt: z.string(),
})
export type ScenarioRecord = z.infer<typeof scenarioRecordSchema>

/** The whole session, as published in `findings/report.json`. */
export const sessionRecordSchema = z.strictObject({
  schema: z.literal(schemaVersion),
  slug: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** The plan document, if one is configured. */
  plan: z.string().nullable(),
  /** Where the plan and its tests have moved apart; known when the session is over. */
  drift: z.array(driftSchema),
  /** Commit under test and whether the work tree was clean; null outside a git repository. */
  commit: z.strictObject({ id: z.string(), clean: z.boolean() }).nullable(),
  gate: z.enum(['default', 'strict']),
  tier: z.enum(['smoke', 'hardening', 'release']),
  tool: z.strictObject({
    name: z.string(),
    version: z.string(),
    node: z.string(),
    vitest: z.string(),
    platform: z.string(),
  }),
  /** What the repository offers for testing and operating its system; left out by versions that did not look. */
  toolbox: z
    .array(
      z.strictObject({
        kind: z.string(),
        name: z.string(),
        command: z.string().nullable(),
        /** Relative to the root of the repository. */
        file: z.string(),
      }),
    )
    .optional(),
  verdict: z.enum(sessionVerdicts),
  scenarios: z.array(scenarioRecordSchema),
})
export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** A session without its scenarios: what the side that starts it knows. */
export const sessionInfoSchema = sessionRecordSchema.omit({ verdict: true, scenarios: true })
export type SessionInfo = z.infer<typeof sessionInfoSchema>
