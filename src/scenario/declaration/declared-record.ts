import { isSerious } from '../../claim/claim.js'
import { describePlan } from '../../nemesis/schedule/describe.js'
import type { Tier } from '../../verdict/budget.js'
import type { ScenarioSpec } from '../spec.js'
import { blankRecord } from '../../session/blank-record.js'
import type { ScenarioRecord } from '../../session/record.js'

/** The record of a scenario that was declared and has not run. */
export function declaredRecord(
  spec: ScenarioSpec,
  declared: { readonly name: string; readonly location: string | null; readonly tier: Tier },
): ScenarioRecord {
  const categories = [...new Set(spec.falsifies.flatMap((claim) => claim.categories))]
  return blankRecord({
    id: spec.id,
    name: declared.name,
    location: declared.location,
    claims: [...spec.falsifies],
    serious: isSerious(spec.falsifies),
    arm: armOf(spec),
    boundary: spec.arm?.boundary ?? null,
    system: spec.system.name,
    topologies: (spec.topologies ?? []).map(({ name }) => name),
    model: spec.model?.name ?? null,
    checkers: spec.checkers.map((checker) => ({
      name: checker.name,
      pattern: checker.pattern,
      scope: [...checker.scope],
      usesModel: checker.usesModel,
      misfit: checker.misfit(spec.model ?? null, categories),
      ...(checker.comparedWith === undefined ? {} : { comparedWith: checker.comparedWith }),
    })),
    nemesis: (spec.nemesis ?? []).map(describePlan),
    budget: spec.budget ?? null,
    tierAttempted: declared.tier,
    ruling: { verdict: 'NOT-RUN', row: 1, reason: 'it was declared and did not run' },
    regression: spec.regression === undefined ? null : { of: spec.regression, lastFailedAt: null },
    sometimes: [...(spec.sometimes ?? [])],
  })
}

function armOf({ arm }: ScenarioSpec): ScenarioRecord['arm'] {
  return arm === undefined ? null : { of: arm.of, id: arm.id, name: arm.name }
}
