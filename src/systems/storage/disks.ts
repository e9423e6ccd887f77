import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { EnvironmentError } from '../../errors.js'
import type { DiskOption } from './disk-option.js'
import type { NodeDisks } from './node-disks.js'
import { tmpfsDisks } from './tmpfs/disks.js'

/** Makes ready what a run's data directories are to lie on. Throws EnvironmentError for what cannot be had here. */
export async function disksFor(option: DiskOption, journal: UndoJournal): Promise<NodeDisks> {
  if (typeof option === 'object') return tmpfsDisks(option.size, journal)
  throw new EnvironmentError(`disk '${option}'`, `disk '${option}' cannot be had here`, 'choose another disk')
}
