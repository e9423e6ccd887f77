import type { ScenarioRecord } from '../../session/record.js'
import type { Plan } from '../plan.js'
import { resultsOf, settles, type Result } from './results.js'

/** One hypothesis of the plan, and what became of it. */
export interface HypothesisCoverage {
  readonly id: string
  readonly text: string
  readonly claims: readonly string[]
  readonly results: readonly Result[]
  readonly exercised: boolean
  /** Why it was not exercised; null when it was. */
  readonly why: string | null
}

type PlanParts = Pick<Plan, 'hypotheses' | 'coverage' | 'scenarios'>

/**
 * Whether each hypothesis of the plan was exercised: a scenario that closes it, by its own word or by the coverage
 * matrix, ended with a pass or a violation.
 */
export function coverageOf(
  plan: PlanParts,
  recorded: readonly ScenarioRecord[],
): readonly HypothesisCoverage[] {
  return plan.hypotheses.map(({ id, text, claims }) => {
    const results = resultsOf(closing(plan, id), recorded)
    const exercised = results.some(({ verdict }) => settles(verdict))
    return {
      id,
      text,
      claims: claims.map((claim) => claim.id),
      results,
      exercised,
      why: exercised ? null : whyNot(results),
    }
  })
}

function closing({ coverage, scenarios }: PlanParts, hypothesis: string) {
  const names = (references: readonly { readonly id: string }[]) =>
    references.some(({ id }) => id === hypothesis)
  return [
    ...scenarios.filter(({ closes }) => names(closes)).map(({ id, at }) => ({ id, at })),
    ...coverage.filter(({ hypotheses }) => names(hypotheses)).flatMap((row) => row.scenarios),
  ]
}

function whyNot(results: readonly Result[]): string {
  if (results.length === 0) return 'no scenario of the plan closes it'
  return results.map(({ id, verdict, reason }) => `${id} is ${verdict}: ${reason}`).join('; ')
}
