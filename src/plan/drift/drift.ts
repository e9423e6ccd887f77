import path from 'node:path'
import type { Drift } from '../../session/drift-record.js'
import { holdsScenario } from '../author/changes.js'
import { originsIn } from '../author/header.js'
import { isOpenText } from '../lint/rule.js'
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
    ...unplanned(plan, tests),
    ...ofClaims(plan, tests.claims),
  ]
}

/** Scenarios that are declared, or were once generated from this plan, and are not in it. */
function unplanned({ file, scenarios }: Plan, { sources, declared }: Tests): Drift[] {
  const generated = [...sources].flatMap(([target, source]) =>
    originsIn(source ?? '')
      .filter(({ plan }) => path.posix.basename(plan) === path.basename(file))
      .map(({ scenario }) => [scenario, `${target} has a test of it`] as const),
  )
  const found = new Map([...[...declared].map((id) => [id, 'a test declares it'] as const), ...generated])
  return [...found]
    .filter(([id]) => scenarios.every((scenario) => scenario.id !== id))
    .map(([id, where]) => ({ kind: 'unplanned', id, detail: `the plan has no such scenario, and ${where}` }))
}

function ofScenario(scenario: PlanScenario, { sources, declared }: Tests): Drift[] {
  const { id, name, target, digest } = scenario
  const source = sources.get(target?.text ?? '') ?? null
  if (!declared.has(id) && !holdsScenario(source, scenario)) {
    const where =
      target === null
        ? 'it names no target'
        : `${target.text} ${source === null ? 'is not there' : 'has no such id'}`
    const what = isOpenText(name) ? 'it' : name
    return [{ kind: 'unimplemented', id, detail: `no test implements ${what}: ${where}` }]
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
