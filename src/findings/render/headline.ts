import type { SessionRecord } from '../../session/record.js'
import { wholeScenarios, type WholeScenario } from './whole-scenarios.js'
import { count } from './words.js'

/**
 * The sentence that a reader in a hurry needs: the worst that was found, or under what nothing was. Scenarios with arms
 * count as a whole.
 */
export function headline({
  scenarios: records,
  verdict,
}: Pick<SessionRecord, 'scenarios' | 'verdict'>): string {
  const scenarios = wholeScenarios(records)
  const failed = withVerdict(scenarios, 'FAIL-')
  const passed = withVerdict(scenarios, 'PASS-')
  const open = scenarios.length - failed.length - passed.length
  switch (verdict) {
    case 'FAIL':
      return `${failed.length} of ${count(scenarios.length, 'scenario')} falsified a claim: ${failed.map(brief).join('; ')}.`
    case 'DONE':
      return `No violation was observed in ${count(passed.length, 'scenario')} under ${faultKinds(passed)}.`
    case 'DONE_WITH_CONCERNS':
      return `No violation was observed in ${count(passed.length, 'scenario')} under ${faultKinds(passed)}; ${count(open, 'scenario')} settled nothing.`
    case 'INCONCLUSIVE':
      return `Nothing was settled: none of ${count(scenarios.length, 'scenario')} earned a pass, and no violation was observed.`
    case 'BLOCKED':
      return scenarios.length === 0
        ? 'No scenario was recorded.'
        : `Nothing could run: ${count(scenarios.length, 'scenario')} not attempted or lacking something on this machine.`
  }
}

function withVerdict(scenarios: readonly WholeScenario[], prefix: string): WholeScenario[] {
  return scenarios.filter(({ ruling }) => ruling.verdict.startsWith(prefix))
}

function brief({ id, claims, ruling }: WholeScenario): string {
  return `${id} falsified ${claims.map((claim) => claim.id).join(', ')} (${ruling.verdict})`
}

function faultKinds(scenarios: readonly WholeScenario[]): string {
  const windows = scenarios.flatMap(({ runs }) => runs).flatMap(({ faults }) => faults)
  return [...new Set(windows.map(({ fault }) => fault))].join(', ') || 'no fault'
}
