import { adequacyOf } from '../../../plan/measure/claims.js'
import type { Plan } from '../../../plan/plan.js'
import type { ScenarioRecord } from '../../../session/record.js'
import { list, paragraph, table, type Block } from '../markdown.js'

/** What the plan argued for each claim, what ran of it, and how adequate that is now. */
export function adequacy(plan: Plan | null, scenarios: readonly ScenarioRecord[]): Block {
  const rows = adequacyOf(plan, scenarios)
  if (rows.length === 0) return paragraph('No claim is declared.')
  return table(
    ['Claim', 'Text', 'Argued', 'Ran', 'Adequacy now', 'Why'],
    rows.map(({ id, text, argued, results, adequacy: now, why }) => [
      id,
      text,
      argued ?? (plan === null ? 'nothing: no plan is configured' : 'nothing'),
      results.map((result) => `${result.id} ${result.verdict}`).join(', ') || 'nothing',
      now,
      why,
    ]),
  )
}

/** Whether the session gives more or less confidence in each claim, and what the plan leaves uncertain on purpose. */
export function confidence(plan: Plan | null, scenarios: readonly ScenarioRecord[]): Block[] {
  const rows = adequacyOf(plan, scenarios)
  const delta =
    rows.length === 0
      ? paragraph('No claim is declared.')
      : list(rows.map(({ id, confidence: now, why }) => `${id}: ${now}; ${why}.`))
  return [delta, ...stated(plan)]
}

function stated(plan: Plan | null): Block[] {
  const statement = plan?.sections.get('7d')?.text ?? ''
  const residual = (plan?.residual ?? []).map(({ what, whyUncovered, revisitWhen }) =>
    [what?.text, whyUncovered?.text, revisitWhen === null ? undefined : `revisit when ${revisitWhen.text}`]
      .filter((part) => part !== undefined)
      .join('; '),
  )
  return [
    ...(statement === '' ? [] : [paragraph(`The plan states: ${statement.replaceAll('\n', ' ')}`)]),
    ...(residual.length === 0 ? [] : [paragraph('The plan leaves uncertain:'), list(residual)]),
  ]
}
