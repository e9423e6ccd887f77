import { stat } from 'node:fs/promises'
import { FaultError } from '../../../errors.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { diskFor } from '../disk-for.js'
import type { NodePlace, StorageMechanism } from '../mechanism.js'
import { notToBeFilled } from './own-disk.js'
import { fillerRule } from './rule.js'

/** Fills the file systems of nodes that have a small one of their own; never a disk that the machine needs. */
export async function fillerMechanism(
  places: readonly NodePlace[],
  journal: UndoJournal,
): Promise<StorageMechanism> {
  const refusals = await Promise.all(
    places.map(async ({ name, dataDir }) => {
      const reason = await notToBeFilled(dataDir)
      return reason === null ? [] : [`${name}: ${reason}`]
    }),
  )
  const [refusal] = refusals.flat()
  return {
    name: 'filler file',
    lacks(kind) {
      if (kind !== 'full') return diskFor(kind)
      return refusal === undefined
        ? null
        : {
            what: 'a small file system of its own for each node',
            hint: "give the nodes one: disk: { size: '16m' }",
          }
    },
    async disturb(place, disturbance) {
      if (disturbance.kind !== 'full')
        throw new FaultError('filler', `a filler cannot make '${disturbance.kind}'`)
      const reason = (await notToBeFilled(place.dataDir)) ?? (await seenElsewhere(place))
      if (reason !== null) {
        throw new FaultError('filler', `the disk of ${place.name} is not filled: ${reason}`, {
          hint: "give the nodes one of their own: disk: { size: '16m' }",
        })
      }
      return fillerRule(place, journal)
    },
  }
}

/** A node in another mount namespace may have something else at its data directory; null when it has not. */
async function seenElsewhere(place: NodePlace): Promise<string | null> {
  const pid = await place.pid()
  if (pid === null) return null
  const [here, there] = await Promise.all([stat(place.dataDir), stat(`/proc/${pid}/root${place.ownDataDir}`)])
  return here.dev === there.dev && here.ino === there.ino
    ? null
    : `what the node has at ${place.ownDataDir} is not ${place.dataDir}`
}
