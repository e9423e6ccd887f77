import type { Arbitrary } from 'fast-check'
import type { Json } from '../json.js'
import type { Duration, Rate } from '../time/duration.js'

/** What an operation's `run` receives. */
export interface OperationContext<Client> {
  readonly client: Client
  /** The key drawn for this operation; null when the workload declares none. */
  readonly key: string
  /** The value drawn for this operation. */
  readonly value: Json
  /** Aborts when the operation's timeout passes or the run is cancelled. */
  readonly signal: AbortSignal
  /** Says which node answered, for `node_seen`; the client's own node otherwise. */
  seen(node: string): void
}

export interface OperationSpec<Client> {
  /** Relative frequency. Default 1. */
  readonly weight?: number
  /**
   * What to draw for `value`. Default: for `mutates` operations the integers 1, 2, 3, … each once in the run,
   * so that every written value is distinct; null for others.
   */
  readonly input?: Arbitrary<Json>
  /** True when the operation writes. Default: every type but `read`, `get`, `list`, `balance`, `contains`, `view`. */
  readonly mutates?: boolean
  /** Performs the operation. What it resolves to is recorded as the output (undefined as null). */
  run(context: OperationContext<Client>): Promise<unknown>
}

export interface WorkloadSpec<Client> {
  /** Number of concurrent clients; client i is connected to node i modulo the number of nodes. */
  readonly clients: number
  /** Open loop: operations a second over all clients, latency counted from the intended start. Closed loop without it. */
  readonly rate?: Rate
  /** Keys `k0`, `k1`, …. Without it every operation has key null. */
  readonly keys?: { readonly count: number; readonly skew?: 'uniform' | 'zipf' }
  readonly operations: Readonly<Record<string, OperationSpec<Client>>>
  /** An operation without an answer by then has outcome unknown. Default 1 s. */
  readonly timeout?: Duration
  /** Closed loop: pause of a client between two operations. Default none. */
  readonly think?: Duration
  /**
   * Whether an error means that the operation certainly did not happen (`failed`) or may have (`unknown`).
   * Default: `unknown` for every error, and for connections that were refused before anything was sent, `failed`.
   */
  classify?(error: unknown, operation: { readonly type: string }): 'failed' | 'unknown'
}

/** A validated workload. */
export interface Workload<Client = unknown> {
  readonly spec: WorkloadSpec<Client>
}
