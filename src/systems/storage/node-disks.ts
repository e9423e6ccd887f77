import type { StorageMechanism } from './mechanism.js'

/** What the data directories of one run's nodes lie on. */
export interface NodeDisks {
  /** How these disks let files be disturbed; null when they bring nothing of their own. */
  readonly mechanism: StorageMechanism | null
  /** Puts a disk under an empty directory that only this node uses. Journalled before it is done. */
  attach(node: string, directory: string): Promise<void>
  /** Takes every disk away again. Safe to call twice; the nodes must be down. */
  close(): Promise<void>
}
