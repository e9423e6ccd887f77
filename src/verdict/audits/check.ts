import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import type { Audit, AuditName } from './audit.js'

/** What a check before a pass came to, with what it rests on; problems first. */
export interface Outcome {
  readonly result: Audit['result']
  readonly evidence: readonly string[]
  /** Where what is unmet weighs more or less than the check usually does. */
  readonly blocks?: Audit['blocks']
}

/** A scenario with the runs that a pass would rest on: those of its seeds that went to their end. Never empty. */
export interface Audited {
  readonly record: ScenarioRecord
  readonly runs: readonly RunRecord[]
}

/** One of the twenty-four checks: pure, from the record alone. */
export interface AuditCheck {
  readonly name: AuditName
  readonly blocks: Audit['blocks']
  readonly downgrade: Audit['downgrade']
  evaluate(audited: Audited): Outcome
}

export function notApplicable(because: string): Outcome {
  return { result: 'not-applicable', evidence: [because] }
}

/** Unmet when there is any problem; the evidence follows what is wrong. */
export function judged(problems: readonly string[], evidence: readonly string[]): Outcome {
  return { result: problems.length > 0 ? 'unmet' : 'met', evidence: [...problems, ...evidence] }
}
