import type { Disturbance, DisturbanceKind, Missing, StorageRule } from '../capabilities.js'

/** Where a node runs and keeps its data, as this machine sees it. */
export interface NodePlace {
  readonly name: string
  /** Its main process on this machine; null while it does not run. */
  pid(): Promise<number | null>
  /** Its data directory as this machine reaches it, also while the node is down. */
  readonly dataDir: string
  /** Its data directory as the node itself names it. */
  readonly ownDataDir: string
}

/** One way to disturb a node's files. */
export interface StorageMechanism {
  /** For people and reports, such as `strace error injection`. */
  readonly name: string
  /** Null when it can make the disturbance here, else what is missing and how to get it. */
  lacks(kind: DisturbanceKind): Missing | null
  disturb(place: NodePlace, disturbance: Disturbance): Promise<StorageRule>
  /** Ends the node by `kill` and lets what was not synced vanish; resolves when it is down. */
  losePower?(
    place: NodePlace,
    kill: () => Promise<void>,
  ): Promise<{ readonly mechanism: string; readonly lost: number | null }>
}
