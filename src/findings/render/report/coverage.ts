import { coverageOf } from '../../../plan/measure/hypotheses.js'
import type { Plan } from '../../../plan/plan.js'
import type { ScenarioRecord } from '../../../session/record.js'
import { paragraph, table, type Block } from '../markdown.js'

/** Every hypothesis of the plan with what became of it, also those that were not exercised and why. */
export function coverage(plan: Plan | null, scenarios: readonly ScenarioRecord[]): Block {
  if (plan === null) return paragraph('No plan is configured, so no hypotheses were stated beforehand.')
  const rows = coverageOf(plan, scenarios)
  if (rows.length === 0) return paragraph('The plan states no hypotheses.')
  const told = new Set(scenarios.map(({ id }) => id))
  return table(
    ['Hypothesis', 'Text', 'Claims', 'Exercised', 'By'],
    rows.map(({ id, text, claims, results, exercised, why }) => [
      id,
      text,
      claims.join(', ') || '-',
      exercised ? 'yes' : 'no',
      // Why a scenario of the session settled nothing stands in a section of its own.
      results
        .map((one) => `${one.id} ${one.verdict}${told.has(one.id) ? '' : `: ${one.reason}`}`)
        .join('; ') ||
        (why ?? '-'),
    ]),
  )
}
