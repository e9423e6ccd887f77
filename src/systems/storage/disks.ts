import { EnvironmentError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Missing } from '../system.js'
import type { DiskOption } from './disk-option.js'
import type { NodeDisks } from './node-disks.js'
import { fuseDisks } from './fuse/disks.js'
import { fuseMissing } from './fuse/missing.js'
import { loopDisks } from './loop/disks.js'
import { loopMissing } from './loop/missing.js'
import { tmpfsDisks } from './tmpfs/disks.js'
import { mountMissing } from './tmpfs/missing.js'

/** What is missing for such disks on this machine; null when nothing. */
export async function disksMissing(option: DiskOption): Promise<Missing | null> {
  if (option === 'fuse') return fuseMissing()
  return option === 'loop' ? loopMissing() : mountMissing()
}

/** Makes ready what a run's data directories are to lie on. Throws EnvironmentError for what cannot be had here. */
export async function disksFor(
  option: DiskOption,
  { run, journal }: { readonly run: string; readonly journal: UndoJournal },
): Promise<NodeDisks> {
  const missing = await disksMissing(option)
  if (missing !== null) {
    throw new EnvironmentError(missing.what, `disk: there is no ${missing.what} here`, missing.hint)
  }
  if (option === 'fuse') return fuseDisks(run, journal)
  return option === 'loop' ? loopDisks(run, journal) : tmpfsDisks(option.size, journal)
}
