import type { Plan } from '../../../plan/plan.js'
import type { ScenarioRecord } from '../../../session/record.js'
import { paragraph, table, type Block, type Content } from '../markdown.js'

/** Every arm that was planned or run, with what became of it, or one line when there are none. */
export function surfaces(plan: Plan | null, scenarios: readonly ScenarioRecord[]): Block {
  const planned = plannedArms(plan)
  const rows = [
    ...scenarios.flatMap((record) => rowOf(record, plan === null ? null : planned)),
    ...planned
      .filter((id) => !scenarios.some((record) => record.id === id))
      .map((id): Content[] => [id, 'yes', 'no', 'NOT-RUN', 'no test implements it', id]),
  ]
  if (rows.length === 0) {
    return paragraph('No scenario has arms: no claim about boundaries or fairness was tested.')
  }
  return table(['Arm', 'Planned', 'Executed', 'Verdict', 'Downgraded because', 'Missing surfaces'], rows)
}

/** Ids such as `S5/api`. */
function plannedArms(plan: Plan | null): string[] {
  return (plan?.scenarios ?? []).flatMap(({ id, arms }) => arms.map(({ name }) => `${id}/${name}`))
}

function rowOf(
  { id, arm, boundary, runs, ruling }: ScenarioRecord,
  planned: readonly string[] | null,
): Content[][] {
  if (arm === null) return []
  const inPlan = planned === null ? 'no plan' : planned.includes(id) ? 'yes' : 'no'
  const downgraded = ruling.verdict === 'PASS-hardening' ? '-' : ruling.reason
  const executed = runs.length > 0
  const missing = executed ? '-' : (boundary?.matrix.surfaces.join(', ') ?? id)
  return [[id, inPlan, executed ? 'yes' : 'no', ruling.verdict, downgraded, missing]]
}
