import { absent } from '../../src/systems/absent.js'
import type { Exec, NodeClocks, Storage } from '../../src/systems/capabilities.js'

/** The capabilities that a test of others does not need. */
export function absentOthers(kind: string): { storage: Storage; clocks: NodeClocks; exec: Exec } {
  return { storage: absent('storage', kind), clocks: absent('clock', kind), exec: absent('exec', kind) }
}
