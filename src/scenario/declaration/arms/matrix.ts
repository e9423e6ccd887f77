import type { Control } from '../../../boundary/control.js'
import { boundaryMatrixSchema, type BoundaryMatrix } from '../../../boundary/matrix.js'
import { DeclarationError } from '../../../errors.js'
import type { ScenarioSpec } from '../../spec.js'
import type { ArmSpec } from './arm-spec.js'

/**
 * The matrix of an arm: what it declares, and what its scenario does. Throws DeclarationError when it neither has a
 * control for identifiers that look alike nor says why.
 */
export function matrixOf(where: string, spec: ScenarioSpec, arm: ArmSpec): BoundaryMatrix {
  const names = (kind: Control['kind']) =>
    arm.controls.filter((control) => control.kind === kind).map((control) => control.name)
  const kinds = [...new Set(arm.controls.flatMap((control) => control.confusable ?? []))]
  if (kinds.length === 0 && arm.confusable === undefined) {
    throw new DeclarationError('arms', `${where}: no control is tried with identifiers that look alike`, {
      hint: "give a control `confusable: ['prefix-collision', …]`, or the arm `confusable: { none: 'why there are none' }`",
    })
  }
  return boundaryMatrixSchema.parse({
    claim: spec.falsifies.map(({ id }) => id),
    keys: [...arm.keys],
    surfaces: [...arm.surfaces],
    operations: Object.keys(spec.workload?.spec.operations ?? {}),
    positiveControls: names('positive'),
    negativeControls: names('negative'),
    confusableIdentifiers: kinds.length > 0 ? kinds : arm.confusable,
    asyncPaths: arm.asyncPaths,
    backgroundPaths: arm.backgroundPaths,
    observabilityPaths: arm.observabilityPaths,
    oracle: spec.checkers.map(({ name }) => name),
    minimumSmokeBudget: spec.budget?.smoke ?? null,
    minimumHardeningBudget: spec.budget?.hardening ?? null,
  })
}
