import type { Control } from '../boundary/control.js'
import type { Boundary } from '../boundary/matrix.js'
import type { Checker } from '../checkers/checker.js'
import type { Claim } from '../claim/claim.js'
import type { BugTag, BugType, Severity } from '../session/classification-record.js'
import type { Model } from '../models/model.js'
import type { FaultPlan } from '../nemesis/schedule/plan.js'
import type { NodeProvider, SystemNode } from '../systems/system.js'
import type { Duration } from '../time/duration.js'
import type { AuditName } from '../verdict/audits/audit.js'
import type { Budget } from '../verdict/budget.js'
import type { ReduceOptions } from './reduce/options.js'
import type { SensitivityOptions } from '../sensitivity/options.js'
import type { Workload } from '../workload/workload.js'

/** The system under test: where it runs, how to talk to it, and when it is well. */
export interface SystemSpec<Client> {
  readonly nodes: NodeProvider
  connect(node: SystemNode): Client | Promise<Client>
  /** Closes a client. Default: calls `close()`, `disconnect()` or `[Symbol.asyncDispose]()` if the client has one. */
  close?(client: Client): void | Promise<void>
  /** Resolves when the system serves. Polled until it resolves to anything but false or null without throwing. */
  ready?(nodes: readonly SystemNode[]): Promise<unknown>
  /** Quiescence: resolves true when nothing is in flight, nothing is pending and replicas have converged. Polled. */
  quiesced?(nodes: readonly SystemNode[]): Promise<unknown>
  /** Late-bound targets for faults, such as `leader`. Each resolves to one node or several, or their names. */
  readonly roles?: Readonly<
    Record<string, (nodes: readonly SystemNode[]) => Promise<RoleAnswer> | RoleAnswer>
  >
  /** Milliseconds since the epoch by the node's own clock, asked of the node: proves that faults of time have landed. */
  clock?(node: SystemNode): Promise<number> | number
  /**
   * Whether an error of a client means that the operation certainly did not happen (`failed`) or may have (`unknown`).
   * A workload's own `classify` wins. Default: `unknown`, unless the error proves that nothing was sent.
   */
  classify?(error: unknown, operation: { readonly type: string }): 'failed' | 'unknown'
  /** What in the nodes' logs says that the system is broken, and what of that may be ignored. */
  readonly logs?: LogRules
  /** How long `ready`, and after the faults recovery and `quiesced`, may take. Default 30 s. */
  readonly settle?: Duration
}

/** Which lines of a log count as swallowed errors: panics, exceptions and internal errors always do. */
export interface LogRules {
  /** Further patterns that count. */
  readonly alarming?: readonly RegExp[]
  /** Lines that do not count although a pattern matches, each with the reason, which the report prints. */
  readonly ignored?: readonly { readonly pattern: RegExp; readonly because: string }[]
}

export type RoleAnswer = SystemNode | string | readonly (SystemNode | string)[] | null | undefined

export interface System<Client = unknown> {
  readonly name: string
  readonly spec: SystemSpec<Client>
}

/** What scenarios with and without arms have in common. */
export interface ScenarioBase<Client = unknown> {
  /** `S1`; unique in the plan. */
  readonly id: string
  readonly falsifies: readonly Claim[]
  readonly system: System<Client>
  readonly model?: Model
  readonly workload?: Workload<Client>
  readonly nemesis?: readonly FaultPlan[]
  readonly budget?: Budget
  /** Names of `sometimes()` properties that must come true in at least one run; one that never does is a weak oracle. */
  readonly sometimes?: readonly string[]
  /** How much of a clean check is spent on proof that the checker would have noticed; false for none. */
  readonly sensitivity?: SensitivityOptions | false
  /** The same system in other sizes: every seed runs on each of them as well. */
  readonly topologies?: readonly System<Client>[]
  /** Checks before a pass that may stay unmet, each with the reason, which the report prints. */
  readonly waive?: Readonly<Partial<Record<AuditName, string>>>
  /** How often a violation is run again with the same seed. Default 2. */
  readonly reruns?: number
  /** Makes a violation small as soon as it is found, by runs of candidates. Default: only `nemesis reduce` does. */
  readonly reduce?: ReduceOptions
  /** Pins the scenario to a known-bad version or flag, in words: it then must find a violation. */
  readonly regression?: string
  /** What helps to tell whose a violation is; false for no runs that are changed to find out. */
  readonly blame?: BlameHints<Client> | false
  /** What the author knows about a violation that it may find. Default: proposed from the fault and the anomaly. */
  readonly finding?: FindingHints
  /** The seed of the first run. Default: drawn from the scenario's name, so that it is the same every time. */
  readonly seed?: number
}

/** A scenario as it runs: one that stands alone, or one arm. */
export interface ScenarioSpec<Client = unknown> extends ScenarioBase<Client> {
  readonly checkers: readonly Checker<Client>[]
  /** Of an arm: which one it is, what it covers, and its controls. */
  readonly arm?: Arm<Client>
}

/** What is known of an arm beside what it runs as a scenario. */
export interface Arm<Client = unknown> {
  /** The scenario's name. */
  readonly of: string
  /** The scenario's id. */
  readonly id: string
  readonly name: string
  readonly boundary: Boundary
  readonly controls: readonly Control<Client>[]
}

/** Ways to find out who is to blame for a violation; each makes an experiment of its own possible. */
export interface BlameHints<Client = unknown> {
  /** Weaker promises that the documentation makes of what the scenario uses, as the checker that would judge by them. */
  readonly relaxations?: readonly {
    readonly name: string
    /** Where it is documented. */
    readonly source: string
    readonly checker: Checker<Client>
  }[]
  /** Another workload that could show the same violation. */
  readonly generator?: Workload<Client>
  /** Another way to reach the same system, such as its own command-line client. */
  readonly client?: Pick<SystemSpec<Client>, 'connect' | 'close'>
}

/** What an author states about a finding; what is stated is not proposed. */
export interface FindingHints {
  readonly type?: BugType
  readonly tags?: readonly BugTag[]
  readonly severity?: Severity
  readonly suspectedCause?: string
  readonly owner?: string
  readonly nextAction?: string
}

export type { Budget, BudgetTier, Tier } from '../verdict/budget.js'
