import type { Category } from '../../../claim/claim.js'
import { DeclarationError } from '../../../errors.js'
import type { ScenarioSpec } from '../../spec.js'
import { validateScenario } from '../validate.js'
import type { ArmedScenarioSpec, ArmSpec } from './arm-spec.js'
import { matrixOf } from './matrix.js'
import { armsHint, parseArms } from './parse.js'
import { refuseTooMuch } from './split-rule.js'

/** Claims of these categories are about more than one surface, so a scenario that falsifies one needs arms. */
const needingArms: ReadonlySet<Category> = new Set(['boundary', 'fairness'])

/** What is not left to the scenario when an arm has it. */
const overriding = ['falsifies', 'model', 'workload', 'nemesis', 'checkers'] as const

/** A scenario that runs: what is declared under one name may be several, one for each arm. */
export interface DeclaredScenario {
  /** Unique in a session: `name`, or `name > arm`. */
  readonly name: string
  readonly spec: ScenarioSpec
}

/**
 * What is to run of a declaration: the scenario itself, or each of its arms.
 *
 * Throws DeclarationError at collection, before anything starts: for every field that is wrong, for a claim about a
 * boundary or fairness without arms, and for an arm that covers too much to have one verdict.
 */
export function declaredScenarios(
  name: string,
  declaration: unknown,
  hasBody: boolean,
): readonly DeclaredScenario[] {
  const { arms, ...scenario } = (declaration ?? {}) as ArmedScenarioSpec
  if (arms === undefined) {
    const spec = validateScenario(name, declaration, hasBody)
    refuseOneSurface(name, spec)
    return [{ name, spec }]
  }
  const named = parseArms(`scenario('${name}')`, arms)
  const covered = named.map(([arm, { surfaces }]) => ({ name: arm, surfaces: [...surfaces] }))
  return named.map(([arm, own]) => {
    const where = `scenario('${name}'): arm '${arm}'`
    const spec = validateScenario(`${name} > ${arm}`, { ...scenario, ...overridesOf(own) }, hasBody)
    if (boundaryOf(spec) !== undefined) refuseTooMuch(where, arm, spec, own.surfaces)
    const boundary = { matrix: matrixOf(where, spec, own), arms: covered }
    return {
      name: `${name} > ${arm}`,
      spec: {
        ...spec,
        id: `${spec.id}/${arm}`,
        arm: { of: name, id: spec.id, name: arm, boundary, controls: own.controls },
      },
    }
  })
}

function overridesOf(arm: ArmSpec): Partial<ArmSpec> {
  return Object.fromEntries(
    overriding.flatMap((field) => (arm[field] === undefined ? [] : [[field, arm[field]]])),
  )
}

function refuseOneSurface(name: string, spec: ScenarioSpec): void {
  const about = boundaryOf(spec)
  if (about === undefined) return
  const { claim, category } = about
  throw new DeclarationError(
    'arms',
    `scenario('${name}'): ${claim} is about ${category}, and the scenario has no arms: one surface says nothing of the others`,
    { hint: armsHint },
  )
}

/** The first claim for which a scenario needs arms, and its category. */
function boundaryOf({ falsifies }: ScenarioSpec) {
  return falsifies
    .flatMap(({ id, categories }) => categories.map((category) => ({ claim: id, category })))
    .find(({ category }) => needingArms.has(category))
}
