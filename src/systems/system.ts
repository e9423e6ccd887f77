import type { Clock } from '../history/clock.js'
import type { UndoJournal } from '../nemesis/undo/journal.js'
import type { Exec, Lifecycle, Missing, Network, NodeClocks, Storage } from './capabilities.js'

/** Where something listens. `String(address)` is `host:port`. */
export interface Address {
  readonly host: string
  readonly port: number
  toString(): string
}

/** A running member of the system under test, as clients and role functions see it. */
export interface SystemNode {
  readonly name: string
  readonly index: number
  /**
   * Where a client reaches the declared port. With a proxy this is the proxied address.
   * Throws SystemError when the port was not declared.
   */
  address(port: number): Address
}

/** What a node knows of another one when it is launched. `String(peer)` is the address of the first declared port. */
export interface Peer {
  readonly name: string
  address(port: number): Address
  toString(): string
}

/** Handed to `command`, `env` and the like of a system, once for each node. */
export interface LaunchContext {
  readonly name: string
  readonly index: number
  /** The other nodes, at the addresses at which this node must reach them. */
  readonly peers: readonly Peer[]
  /** The real port to listen on for a declared port. */
  listen(port: number): number
  /** The node's own address for a declared port, as the others reach it without a fault in between. */
  self(port: number): Address
  /** An empty directory of this node's own; survives restarts within a run. */
  readonly dataDir: string
}

/** What a provider needs from the run. */
export interface ProviderContext {
  /** Unique name of this run; labels and temporary names derive from it. */
  readonly runId: string
  /** Directory for one log file a node, `<node>.log`: what is not there cannot be looked through for panics. */
  readonly logsDir: string
  readonly clock: Clock
  readonly journal: UndoJournal
  readonly signal: AbortSignal
}

/** A launched system. `stop` ends everything it started and is safe to call twice. */
export interface RunningSystem {
  readonly nodes: readonly SystemNode[]
  readonly lifecycle: Lifecycle | null
  readonly network: Network | null
  readonly storage: Storage | null
  readonly clock: NodeClocks | null
  readonly exec: Exec | null
  /** Directories of this machine in which the nodes keep their data, as far as they are known. */
  readonly dataDirs?: readonly string[]
  stop(): Promise<void>
}

/** Where a system runs: `processes()`, `docker()`, … */
export interface NodeProvider {
  readonly kind: string
  readonly count: number
  /** What this machine lacks for it: empty when it can start. */
  missing(): Promise<readonly Missing[]>
  start(context: ProviderContext): Promise<RunningSystem>
}

export type { Missing } from './capabilities.js'
