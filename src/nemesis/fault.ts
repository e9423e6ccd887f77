import type { z } from 'zod'
import type { Clock } from '../history/clock.js'
import type {
  CapabilityName,
  Exec,
  Lifecycle,
  Network,
  NodeClocks,
  Storage,
} from '../systems/capabilities.js'
import type { SystemNode } from '../systems/system.js'
import type { Duration } from '../time/duration.js'
import type { Evidence } from './evidence.js'
import type { UndoJournal } from './undo/journal.js'

export type FaultCategory = 'process' | 'network' | 'storage' | 'time' | 'cluster'

/** What clients have seen of one node since a moment; read live from the recorder. */
export interface NodeActivity {
  readonly ok: number
  readonly failed: number
  readonly unknown: number
  /** Milliseconds that the oldest unanswered operation has been waiting; 0 when none is in flight. */
  readonly oldestWaitMs: number
}

/** What a fault may use while it is being injected. */
export interface FaultContext {
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly network: Network
  readonly storage: Storage
  readonly clocks: NodeClocks
  readonly exec: Exec
  readonly nodes: readonly string[]
  /** The nodes with their addresses, for hooks of the user; left out where nobody knows them. */
  readonly systemNodes?: readonly SystemNode[]
  readonly journal: UndoJournal
  /** Client operations aimed at the node that were invoked at or after `since` (ns). */
  activity(node: string, since: number): NodeActivity
  /** The seed of the run, for mechanisms that draw by themselves; left out where there is none. */
  readonly seed?: number
  /** Milliseconds since the epoch as the node itself tells them; left out when the system says no way to ask. */
  readonly readClock?: (node: string) => Promise<number>
  /**
   * Resolves a late-bound target: a node name, `leader`, `others`, `random`, `majority`, `minority`, `all`, `clients`,
   * or a role of the system. `apart` names the other side of a fault that has two: `others` are then the nodes that
   * are not in it, and nothing is drawn from it.
   */
  resolve(target: Target, apart?: readonly string[]): Promise<readonly string[]>
  readonly signal: AbortSignal
}

/** What a definition receives while it injects. */
export interface InjectContext extends FaultContext {
  /**
   * Opens the fault window: call it after roles are resolved and baselines are read, right before the first change.
   * A definition that never calls it has its window opened when its `inject` resolves.
   */
  injecting(): void
}

/** A node name, a role of the system, or one of `random`, `majority`, `minority`, `others`, `all`. */
export type Target = string | readonly string[]

/** A fault in place. */
export interface Injection {
  /** The target with roles resolved, for people: `n1 | n2, n3`. */
  readonly target: string
  readonly mechanism: string
  /** Nodes whose clients are on the affected path. */
  readonly affects: readonly string[]
  /** Reads both sides now; each item holds the value from before the injection. */
  evidence(): Promise<readonly Evidence[]>
  /** Why the fault is not proven although readings changed, such as a killed node that was asked to stop; null when nothing speaks against it. */
  objection?(): string | null
  /** Traffic seen going round the fault, each named. */
  bypasses?(): Promise<readonly string[]>
  /** Why the fault is not in place any more although nobody healed it, such as a restart; null while it is. Asked before the heal. */
  lost?(): Promise<string | null>
  /** Undoes it. Safe to call twice; resolves when the undo itself is verified. */
  heal(): Promise<readonly Evidence[]>
}

/** One row of the fault taxonomy. */
export interface FaultDefinition<Options = unknown> {
  readonly name: string
  readonly category: FaultCategory
  readonly needs: readonly CapabilityName[]
  readonly options: z.ZodType<Options>
  /** True when the fault ends by itself, so that its window closes once it has landed. */
  readonly oneShot?: boolean
  /** True when it takes its targets one after the other: a quorum is kept as long as one of them may go. */
  readonly oneByOne?: boolean
  inject(context: InjectContext, options: Options): Promise<Injection>
}

/** When a fault is to be in place, counted from the start of the workload, or of its turn in a sequence. */
export interface Schedule {
  readonly at?: Duration
  /** How long it stays once it has landed; until the end of the workload when left out. */
  readonly for?: Duration
  /** Fires again and again, so long from one to the next. Needs `for`, unless the fault ends by itself. */
  readonly every?: Duration
  /** When it ends at the latest: a time that counts like `at`, or an event, asked for from the first landing on. */
  readonly until?: Duration | (() => Promise<boolean> | boolean)
}

/** A further sign that a fault has landed, or that it has not. */
export interface LandingSignal {
  readonly name: string
  /**
   * `change` (default): waited for before the fault counts as landed. `still`: must not move from then until the heal, as
   * the revision of a node that is cut off; when it does, the fault has not landed.
   */
  readonly expect?: 'change' | 'still'
  sample(): Promise<number | string>
}

/** A fault as the user declared it: `nemesis('partition', { isolate: 'leader', at: '3s', for: '4s' })`. */
export interface Nemesis {
  readonly definition: FaultDefinition
  /** Validated options of the fault, without the schedule. */
  readonly options: unknown
  readonly schedule: Schedule
  readonly landing: readonly LandingSignal[]
  /** Evidence must be in within this long after the injection. */
  readonly landWithinMs: number
  /** Putting it in place, and taking it back, may each take this long. */
  readonly changeWithinMs: number
}

/** True when the reading differs from the one before the injection. */
export function changed(evidence: Pick<Evidence, 'before' | 'after'>): boolean {
  return evidence.after !== null && evidence.after !== evidence.before
}
