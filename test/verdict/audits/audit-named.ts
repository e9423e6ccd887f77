import { auditsOf, type Waivers } from '../../../src/verdict/audits/audits-of.js'
import type { Audit, AuditName } from '../../../src/verdict/audits/audit.js'
import type { ScenarioRecord } from '../../../src/session/record.js'

/** One check of a scenario, with its evidence as one text. */
export function auditNamed(
  name: AuditName,
  record: ScenarioRecord,
  waivers: Waivers = {},
): Audit & { readonly said: string } {
  const audit = auditsOf(record, waivers).find((one) => one.name === name)
  if (audit === undefined) throw new Error(`there is no check ${name}`)
  return { ...audit, said: audit.evidence.join('\n') }
}
