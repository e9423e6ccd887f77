import type { Rule } from './rule.js'
import { armIncomplete, armsMissing, armTooWide, negativeControlMissing } from './rules/arms.js'
import { budgetMissing, hardeningNotAbove, releaseUndisclosed } from './rules/budgets.js'
import { categoryUnknown, claimIncomplete, claimsMissing, claimWithoutScenario } from './rules/claims.js'
import { environmentIncomplete, environmentUnused } from './rules/environment.js'
import {
  checkerUnfit,
  checkerUnknown,
  faultUnknown,
  modelBlockIncomplete,
  modelBlockMissing,
  modelUnknown,
} from './rules/discipline.js'
import {
  coverageMissing,
  coverageVerdictUnknown,
  coveredByNothing,
  failureModeUncovered,
  gapWithoutScenario,
  hypothesisWithoutClaim,
  hypothesisWithoutScenario,
} from './rules/hypotheses.js'
import { idDuplicate, idMalformed, referenceUnknown } from './rules/ids.js'
import { oracleMissing, oracleNotCheckable } from './rules/oracles.js'
import {
  exitCriteriaMissing,
  nameAfterSetUp,
  scenarioIncomplete,
  scenariosMissing,
  techniqueUnselected,
} from './rules/scenarios.js'
import {
  changeUndescribed,
  inventoryMissing,
  modeUnknown,
  sectionEmpty,
  sectionMissing,
  summaryTooLong,
  systemModelIncomplete,
} from './rules/sections.js'
import { absoluteClaim, adequacyMissing, residualIncomplete, untestedUnnamed } from './rules/statements.js'
import { skeletonMissing, targetMissing, targetOutside } from './rules/targets.js'
import { techniqueIncomplete, techniqueUnknown } from './rules/techniques.js'

/** Every rule of `nemesis plan check`, in the order of the sections that they are about. */
export const rules: readonly Rule[] = [
  sectionMissing,
  sectionEmpty,
  modeUnknown,
  summaryTooLong,
  changeUndescribed,
  claimsMissing,
  claimIncomplete,
  categoryUnknown,
  idMalformed,
  idDuplicate,
  referenceUnknown,
  claimWithoutScenario,
  systemModelIncomplete,
  inventoryMissing,
  hypothesisWithoutClaim,
  hypothesisWithoutScenario,
  failureModeUncovered,
  coverageMissing,
  coverageVerdictUnknown,
  coveredByNothing,
  gapWithoutScenario,
  techniqueUnknown,
  techniqueIncomplete,
  environmentIncomplete,
  environmentUnused,
  scenariosMissing,
  scenarioIncomplete,
  nameAfterSetUp,
  techniqueUnselected,
  faultUnknown,
  oracleMissing,
  oracleNotCheckable,
  exitCriteriaMissing,
  budgetMissing,
  hardeningNotAbove,
  releaseUndisclosed,
  targetMissing,
  targetOutside,
  skeletonMissing,
  modelBlockMissing,
  modelBlockIncomplete,
  modelUnknown,
  checkerUnknown,
  checkerUnfit,
  armsMissing,
  armIncomplete,
  negativeControlMissing,
  armTooWide,
  adequacyMissing,
  residualIncomplete,
  absoluteClaim,
  untestedUnnamed,
]
