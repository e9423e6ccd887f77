import type { Rule } from './rule.js'
import { armIncomplete, armsMissing, armTooWide, negativeControlMissing } from './rules/arms.js'
import { budgetMissing, hardeningNotAbove, releaseUndisclosed } from './rules/budgets.js'
import {
  categoryUnknown,
  claimIncomplete,
  claimsMissing,
  claimWithoutScenario,
  idDuplicate,
  referenceUnknown,
} from './rules/claims.js'
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
  failureModeUncovered,
  gapWithoutScenario,
  hypothesisWithoutClaim,
  hypothesisWithoutScenario,
} from './rules/hypotheses.js'
import {
  exitCriteriaMissing,
  nameAfterSetUp,
  oracleMissing,
  oracleNotCheckable,
  scenarioIncomplete,
  scenariosMissing,
  techniqueUnselected,
} from './rules/scenarios.js'
import {
  changeUndescribed,
  modeUnknown,
  sectionEmpty,
  sectionMissing,
  summaryTooLong,
} from './rules/sections.js'
import {
  absoluteClaim,
  adequacyMissing,
  environmentUnused,
  residualIncomplete,
  untestedUnnamed,
} from './rules/statements.js'
import { skeletonMissing, targetMissing, targetOutside } from './rules/targets.js'
import { techniqueUnknown } from './rules/techniques.js'

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
  idDuplicate,
  referenceUnknown,
  claimWithoutScenario,
  hypothesisWithoutClaim,
  hypothesisWithoutScenario,
  failureModeUncovered,
  coverageMissing,
  coverageVerdictUnknown,
  gapWithoutScenario,
  techniqueUnknown,
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
