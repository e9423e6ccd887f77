import type { ScenarioRecord } from '../../session/record.js'
import { redFlags, weakOracles, type Audit, type AuditName } from './audit.js'
import { auditChecks } from './catalog.js'
import type { Audited, AuditCheck, Outcome } from './check.js'

/** Reasons by which a scenario may pass although a check is unmet. */
export type Waivers = Readonly<Partial<Record<AuditName, string | undefined>>>

const flags: readonly string[] = redFlags
const weak: readonly string[] = weakOracles

/**
 * The twenty-four checks before a pass, from what was recorded of a scenario and nothing else; `tierMet` must be set.
 *
 * A check that cannot be evaluated is unmet and says why: all of them when no run went to its end. A waiver is kept
 * whatever the result, so that a needless one shows.
 */
export function auditsOf(record: ScenarioRecord, waivers: Waivers = {}): Audit[] {
  const runs = record.runs.filter(({ purpose, error }) => purpose === 'seed' && error === null)
  return auditChecks.map((check) => auditOf(check, { record, runs }, waivers[check.name] ?? null))
}

function auditOf(check: AuditCheck, audited: Audited, waiver: string | null): Audit {
  const { name, downgrade } = check
  const { result, evidence, blocks = check.blocks } = outcomeOf(check, audited)
  const isFlag = flags.includes(name)
  return {
    name,
    group: isFlag ? 'red-flag' : 'weak-oracle',
    number: 1 + (isFlag ? flags : weak).indexOf(name),
    result,
    evidence: [...evidence],
    blocks,
    downgrade,
    waiver,
  }
}

function outcomeOf(check: AuditCheck, audited: Audited): Outcome {
  if (audited.runs.length > 0) return check.evaluate(audited)
  return { result: 'unmet', evidence: ['no run went to its end, so there is nothing to evaluate it from'] }
}
