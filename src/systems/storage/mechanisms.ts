import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { fillerMechanism } from './filler/mechanism.js'
import type { NodePlace, StorageMechanism } from './mechanism.js'
import type { NodeDisks } from './node-disks.js'
import { straceMechanism } from './strace/mechanism.js'

/** Every way to disturb the files of a run's nodes: what their disks bring, then what works on any directory. */
export async function mechanismsFor(
  places: readonly NodePlace[],
  { run, journal, disks }: { run: string; journal: UndoJournal; disks: NodeDisks | null },
): Promise<readonly StorageMechanism[]> {
  const own = disks?.mechanism ?? null
  return [
    ...(own === null ? [] : [own]),
    await fillerMechanism(places, journal),
    await straceMechanism({ run, journal }),
  ]
}
