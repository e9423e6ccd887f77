import { EnvironmentError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Missing } from '../system.js'
import type { DiskOption } from './disk-option.js'
import type { NodeDisks } from './node-disks.js'
import { tmpfsDisks } from './tmpfs/disks.js'
import { mountMissing } from './tmpfs/missing.js'

/** What is missing for such disks on this machine; null when nothing. */
export async function disksMissing(option: DiskOption): Promise<Missing | null> {
  if (typeof option === 'object') return mountMissing()
  return { what: `disks of the kind '${option}'`, hint: "choose another disk, such as { size: '16m' }" }
}

/** Makes ready what a run's data directories are to lie on. Throws EnvironmentError for what cannot be had here. */
export async function disksFor(option: DiskOption, journal: UndoJournal): Promise<NodeDisks> {
  const missing = await disksMissing(option)
  if (missing !== null) {
    throw new EnvironmentError(missing.what, `disk: there is no ${missing.what} here`, missing.hint)
  }
  if (typeof option === 'object') return tmpfsDisks(option.size, journal)
  throw new EnvironmentError(option, `disk '${option}' cannot be had here`, 'choose another disk')
}
