export { confusable } from '../../src/boundary/confusable/confusable.js'
export type { Confusion, Identifier, IdentifierPair } from '../../src/boundary/confusable/confusion.js'
export {
  control,
  type Attempt,
  type Control,
  type ControlContext,
  type NegativeOptions,
  type PositiveOptions,
} from '../../src/boundary/control.js'
export { claim, type ClaimOptions } from '../../src/claim/declare.js'
export type { Category, Claim } from '../../src/claim/claim.js'
export type { Checker, CheckInput, CheckResult } from '../../src/checkers/checker.js'
export type { Operation } from '../../src/history/operation.js'
export type { Model, ModelOperation } from '../../src/models/model.js'
export { nemesis } from '../../src/nemesis/nemesis.js'
export type { Nemesis } from '../../src/nemesis/fault.js'
export type { ClusterHook, NodeHook } from '../../src/nemesis/faults/cluster/hook.js'
export type { FaultPlan } from '../../src/nemesis/schedule/plan.js'
export type { ActiveFault } from '../../src/nemesis/inject.js'
export { always, sometimes, unreachable } from '../../src/properties/assert.js'
export type { ArmSpec } from '../../src/scenario/declaration/arms/arm-spec.js'
export { system } from '../../src/scenario/system.js'
export type { BodyOperation, BodyOutcome, BodyTools } from '../../src/scenario/pass/drive/body.js'
export type { Budget, BudgetTier, ScenarioSpec, System, SystemSpec, Tier } from '../../src/scenario/spec.js'
export { processes } from '../../src/systems/process/processes.js'
export { toxiproxy } from '../../src/systems/toxiproxy/toxiproxy.js'
export { provesNothingSent } from '../../src/workload/classify.js'
export { workload } from '../../src/workload/index.js'
export type { OperationContext, OperationSpec, Workload, WorkloadSpec } from '../../src/workload/index.js'
export type { NodeProvider, ProviderContext, RunningSystem, SystemNode } from '../../src/systems/system.js'
export type { Verdict } from '../../src/verdict/verdict.js'
export type { BodyContext, ScenarioAPI, ScenarioDeclaration } from './scenario-api.js'
export { scenario, scenarioTest } from './scenario.js'
export { InconclusiveError, RegressionError, ViolationError } from './verdict-error.js'
export type { ScenarioMeta, ScenarioResult } from './meta.js'
