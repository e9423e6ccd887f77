import { z } from 'zod'

/** Who can be to blame for what looks like a violation. */
export const parties = ['SUT', 'harness', 'checker', 'environment'] as const
export type Party = (typeof parties)[number]

/** Kinds of bugs of distributed systems, after the TaxDC study. */
export const bugTypes = [
  'timing',
  'ordering',
  'partition',
  'crash-recovery',
  'upgrade',
  'config',
  'fault-handling',
  'performance',
] as const
export type BugType = (typeof bugTypes)[number]

export const bugTags = [
  'replication',
  'leadership',
  'idempotency',
  'durability',
  'liveness',
  'safety',
] as const
export type BugTag = (typeof bugTags)[number]

/** P0 loss, corruption or safety; P1 needs an operator; P2 recovers by itself; P3 nobody notices. */
export const severities = ['P0', 'P1', 'P2', 'P3'] as const
export type Severity = (typeof severities)[number]

/** What was tried to find out who is to blame, and what came of it. */
export const experimentSchema = z.strictObject({
  /** Such as `known-good history`, `documented relaxation`, `another generator`, `host signals`, `without faults`. */
  name: z.string(),
  /** The question that it answers. */
  question: z.string(),
  /** The answer, with numbers. */
  outcome: z.string(),
  /** Whom the outcome points at; null when at nobody. */
  points: z.enum(parties).nullable(),
  /** Whom it clears. */
  clears: z.array(z.enum(parties)),
  /** Names of the runs, and files of the session, that the answer rests on. */
  evidence: z.array(z.string()),
})
export type Experiment = z.infer<typeof experimentSchema>

/** What a violation is, and whose. */
export const classificationSchema = z.strictObject({
  blame: z.enum([...parties, 'unknown']),
  /** Why that one, from the experiments; for `unknown` what is pending. */
  reason: z.string(),
  experiments: z.array(experimentSchema),
  /** Whether the violation comes without the faults as well; null when that was not tried. */
  needsFault: z.boolean().nullable(),
  type: z.enum(bugTypes),
  tags: z.array(z.enum(bugTags)),
  severity: z.enum(severities),
  /** Fields of this record that the author of the scenario has set; the others are proposed from fault and anomaly. */
  setByAuthor: z.array(z.enum(['type', 'tags', 'severity'])),
  suspectedCause: z.string().nullable(),
  owner: z.string().nullable(),
  nextAction: z.string(),
})
export type Classification = z.infer<typeof classificationSchema>
