import { isSerious, type Claim } from '../../claim/claim.js'
import { claimSchema } from '../../claim/claim.js'
import { blankRecord } from '../../session/blank-record.js'
import type { Drift } from '../../session/drift-record.js'
import type { ScenarioRecord } from '../../session/record.js'
import type { Tier } from '../../verdict/budget.js'
import type { Plan, PlanScenario } from '../plan.js'
import { driftOf } from './drift.js'
import { testsOf } from './tests.js'

/** Where a plan and a session have moved apart, with a record for every scenario that no test implements. */
export function sessionDrift(
  plan: Plan,
  recorded: readonly ScenarioRecord[],
  { root, tier }: { readonly root: string; readonly tier: Tier },
): { readonly drift: readonly Drift[]; readonly records: readonly ScenarioRecord[] } {
  const { sources, claims } = testsOf(plan, root)
  const drift = driftOf(plan, {
    sources,
    declared: new Set(recorded.map(({ id, arm }) => arm?.id ?? id)),
    claims: [...recorded.flatMap((record) => record.claims), ...claims],
  })
  const records = drift.flatMap(({ kind, id, detail }) => {
    const scenario = plan.scenarios.find((one) => one.id === id)
    return kind !== 'unimplemented' || scenario === undefined
      ? []
      : [notRun(plan, scenario, { detail, tier })]
  })
  return { drift, records }
}

function notRun(
  plan: Plan,
  { id, name, falsifies }: PlanScenario,
  { detail, tier }: { readonly detail: string; readonly tier: Tier },
): ScenarioRecord {
  const ids = new Set(falsifies.map((reference) => reference.id))
  const claims = plan.claims.filter((claim) => ids.has(claim.id)).flatMap(asClaim)
  return blankRecord({
    id,
    name,
    location: null,
    claims,
    serious: isSerious(claims),
    system: 'not declared',
    tierAttempted: tier,
    ruling: { verdict: 'NOT-RUN', row: 1, reason: detail },
  })
}

/** A claim of the plan as a test would declare it; none when the plan leaves something out. */
function asClaim({ id, text, categories, source, inferred }: Plan['claims'][number]): Claim[] {
  const parsed = claimSchema.safeParse({
    id,
    text,
    categories: categories.map((category) => category.text),
    source: source?.text ?? null,
    inferred: inferred !== null && /^y/i.test(inferred.text),
    anySize: false,
  })
  return parsed.success ? [parsed.data] : []
}
