import type { Drift } from '../../session/drift-record.js'
import { holdsScenario } from '../author/changes.js'
import { originsIn } from '../author/header.js'
import type { Plan, PlanScenario } from '../plan.js'

/** A claim as a test declares it. */
export interface DeclaredClaim {
  readonly id: string
  readonly text: string
}

/** What is known of the tests that a plan is about. */
export interface Tests {
  /** Source texts by the target path that the plan has for them; null where there is no such file. */
  readonly sources: ReadonlyMap<string, string | null>
  /** Ids of scenarios that are declared somewhere, also in other files than the plan says. */
  readonly declared: ReadonlySet<string>
  readonly claims: readonly DeclaredClaim[]
}

/** Where the plan and its tests have moved apart. */
export function driftOf(plan: Plan, tests: Tests): Drift[] {
  return [
    ...plan.scenarios.flatMap((scenario) => ofScenario(scenario, tests)),
    ...ofClaims(plan, tests.claims),
  ]
}

function ofScenario(scenario: PlanScenario, { sources, declared }: Tests): Drift[] {
  const { id, name, target, digest } = scenario
  const source = sources.get(target?.text ?? '') ?? null
  if (!declared.has(id) && !holdsScenario(source, scenario)) {
    const where =
      target === null
        ? 'it names no target'
        : `${target.text} ${source === null ? 'is not there' : 'has no such id'}`
    return [{ kind: 'unimplemented', id, detail: `no test implements ${name}: ${where}` }]
  }
  const origin = originsIn(source ?? '').find((one) => one.scenario === id)
  if (origin === undefined || origin.digest === digest) return []
  const detail = `its part of the plan has changed since the test was generated (${origin.digest}, now ${digest})`
  return [{ kind: 'changed', id, detail }]
}

function ofClaims({ claims }: Plan, declared: readonly DeclaredClaim[]): Drift[] {
  return claims.flatMap(({ id, text }) => {
    const other = declared.find((claim) => claim.id === id && inWords(claim.text) !== inWords(text))
    if (other === undefined) return []
    return [{ kind: 'claim', id, detail: `the plan says "${text}", the test says "${other.text}"` }]
  })
}

/** A full stop more or less, or another line break, is no other claim. */
function inWords(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replace(/[.!]$/, '').toLowerCase()
}
