import type { AuditCheck } from './check.js'
import { baselineComparable } from './red-flags/baseline-comparable.js'
import { clockSkewHarmless } from './red-flags/clock-skew-harmless.js'
import { durationMet } from './red-flags/duration-met.js'
import { faultsInjected } from './red-flags/faults-injected.js'
import { loadProduced } from './red-flags/load-produced.js'
import { noSilentNoOp } from './red-flags/no-silent-no-op.js'
import { noSwallowedErrors } from './red-flags/no-swallowed-errors.js'
import { oracleRan } from './red-flags/oracle-ran.js'
import { recoveredToNominal } from './red-flags/recovered-to-nominal.js'
import { replicated } from './red-flags/replicated.js'
import { notASingleSurface, notPositiveControlsOnly } from './weak-oracles/boundary.js'
import {
  notFinalStateOnly,
  notHealthChecksOnly,
  notLogsOnly,
  notNoErrorMetricsOnly,
} from './weak-oracles/judged-by.js'
import { noHiddenRetries } from './weak-oracles/no-hidden-retries.js'
import { noWallClockOrder } from './weak-oracles/no-wall-clock-order.js'
import { notASingleFailover } from './weak-oracles/not-a-single-failover.js'
import { notAggregateFairnessOnly } from './weak-oracles/not-aggregate-fairness-only.js'
import { notOneSeed } from './weak-oracles/not-one-seed.js'
import { notOneTopology } from './weak-oracles/not-one-topology.js'
import { notShortRunsOnly } from './weak-oracles/not-short-runs-only.js'
import { notSymmetricPartitionsOnly } from './weak-oracles/not-symmetric-partitions-only.js'

/** All checks before a pass, in the order of their names in `audit.ts`. */
export const auditChecks: readonly AuditCheck[] = [
  loadProduced,
  oracleRan,
  faultsInjected,
  noSilentNoOp,
  clockSkewHarmless,
  durationMet,
  noSwallowedErrors,
  recoveredToNominal,
  baselineComparable,
  replicated,
  notFinalStateOnly,
  notLogsOnly,
  notHealthChecksOnly,
  notASingleFailover,
  notNoErrorMetricsOnly,
  notShortRunsOnly,
  notSymmetricPartitionsOnly,
  noHiddenRetries,
  noWallClockOrder,
  notOneTopology,
  notOneSeed,
  notASingleSurface,
  notPositiveControlsOnly,
  notAggregateFairnessOnly,
]
