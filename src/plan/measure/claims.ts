import type { Claim } from '../../claim/claim.js'
import type { ScenarioRecord } from '../../session/record.js'
import type { AdequacyRow, Plan } from '../plan.js'
import { resultsOf, type Result } from './results.js'

/** How well a claim is supported now, measured against what was argued beforehand. */
export interface ClaimAdequacy {
  readonly id: string
  readonly text: string
  /** The argument of the plan's section 7b; null when the plan makes none, or there is no plan. */
  readonly argued: string | null
  readonly results: readonly Result[]
  /**
   * `falsified`: a violation was found. `supported`: every scenario that the argument rests on earned a hardened pass.
   * `weakly supported`: some passed, and not all of them hardened. `unsupported`: none passed.
   */
  readonly adequacy: 'falsified' | 'supported' | 'weakly supported' | 'unsupported'
  /** Confidence in the claim after the session, against that before it. */
  readonly confidence: 'more' | 'less' | 'unchanged'
  readonly why: string
}

/**
 * The claims of the plan, or without one those that the scenarios declare, each with what the session adds to it.
 * Conservative: confidence grows only when all of them earned hardened passes, and one violation takes it.
 */
export function adequacyOf(
  plan: Pick<Plan, 'claims' | 'adequacy' | 'scenarios'> | null,
  recorded: readonly ScenarioRecord[],
): readonly ClaimAdequacy[] {
  const declared = new Map<string, string>([
    ...recorded.flatMap(({ claims }) => claims).map(({ id, text }: Claim) => [id, text] as const),
    ...(plan?.claims ?? []).map(({ id, text }) => [id, text] as const),
  ])
  return [...declared].map(([id, text]) => {
    const row = plan?.adequacy.find(({ claims }) => claims.some((claim) => claim.id === id))
    const results = resultsOf(scenariosFor(id, plan, row, recorded), recorded)
    return { id, text, argued: row?.argument?.text ?? null, results, ...judged(results) }
  })
}

function scenariosFor(
  claim: string,
  plan: Pick<Plan, 'scenarios'> | null,
  row: AdequacyRow | undefined,
  recorded: readonly ScenarioRecord[],
) {
  const nowhere = { line: 1, column: 1 }
  const planned = plan?.scenarios.filter(({ falsifies }) => falsifies.some(({ id }) => id === claim)) ?? []
  const run = recorded.filter(({ claims }) => claims.some(({ id }) => id === claim))
  return [
    ...(row?.scenarios ?? []),
    ...planned.map(({ id, at }) => ({ id, at })),
    ...run.map(({ id, arm }) => ({ id: arm?.id ?? id, at: nowhere })),
  ]
}

function judged(results: readonly Result[]): Pick<ClaimAdequacy, 'adequacy' | 'confidence' | 'why'> {
  const failed = results.filter(({ verdict }) => verdict.startsWith('FAIL-'))
  const hardened = results.filter(({ verdict }) => verdict === 'PASS-hardening')
  const passed = results.filter(({ verdict }) => verdict.startsWith('PASS-'))
  if (failed.length > 0) {
    return { adequacy: 'falsified', confidence: 'less', why: `${ids(failed)} found a violation` }
  }
  if (passed.length === 0) {
    const why = results.length === 0 ? 'no scenario falsifies it' : `none of ${ids(results)} passed`
    return { adequacy: 'unsupported', confidence: 'unchanged', why }
  }
  if (hardened.length === results.length) {
    return {
      adequacy: 'supported',
      confidence: 'more',
      why: `no violation was observed in ${ids(hardened)} under the tested faults`,
    }
  }
  const rest = results.filter(({ verdict }) => verdict !== 'PASS-hardening')
  const short = rest.map(({ id, verdict }) => `${id} is ${verdict}`).join(', ')
  return {
    adequacy: 'weakly supported',
    confidence: 'unchanged',
    why: `${hardened.length} of ${results.length} earned a hardened pass; ${short}`,
  }
}

function ids(results: readonly Result[]): string {
  return [...new Set(results.map(({ id }) => id))].join(', ')
}
