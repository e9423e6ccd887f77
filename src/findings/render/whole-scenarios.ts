import type { ScenarioRecord } from '../../session/record.js'
import { aggregates } from '../../verdict/arms.js'

/** What the report counts as one scenario: one that stands alone, or all arms of one together. */
export type WholeScenario = Pick<ScenarioRecord, 'id' | 'claims' | 'runs'> & {
  readonly ruling: Pick<ScenarioRecord['ruling'], 'verdict'>
}

/** The scenarios of a session, those with arms as a whole, in order of their first records. */
export function wholeScenarios(records: readonly ScenarioRecord[]): WholeScenario[] {
  const armed = new Map(aggregates(records).map((aggregate) => [aggregate.name, aggregate]))
  return records.flatMap((record): WholeScenario[] => {
    if (record.arm === null) return [record]
    const aggregate = armed.get(record.arm.of)
    if (aggregate === undefined || aggregate.arms[0] !== record) return []
    const { id, verdict, arms } = aggregate
    const claims = new Map(arms.flatMap((arm) => arm.claims).map((claim) => [claim.id, claim]))
    return [{ id, claims: [...claims.values()], runs: arms.flatMap(({ runs }) => runs), ruling: { verdict } }]
  })
}
