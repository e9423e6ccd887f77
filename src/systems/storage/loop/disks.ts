import type { Stats } from 'node:fs'
import { chmod, chown, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError } from '../../../errors.js'
import { unmount } from '../mount.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { undoAll } from '../../undo-all.js'
import { filesIn } from '../data-files.js'
import { diskFor } from '../disk-for.js'
import { freeze } from '../freeze.js'
import type { StorageMechanism } from '../mechanism.js'
import type { NodeDisks } from '../node-disks.js'
import { runDirectory } from '../run-directory.js'
import { deviceOf, makeImage, mountImage, syncDirectory, unmountImage, type Ext4Disk } from './image.js'
import { replayed, shutDown } from './shutdown.js'

/**
 * An ext4 file system on a loop device for each node, which can lose its power: what the kernel had not written by then
 * is gone, and the journal is replayed. As on a real disk, what the kernel has written back by itself survives, synced
 * or not; it does so after about half a minute.
 */
export function loopDisks(run: string, journal: UndoJournal): NodeDisks {
  const disks = new Map<string, Ext4Disk>()
  const undos: (() => Promise<void>)[] = []
  const root = runDirectory(journal, undos)
  return {
    mechanism: mechanismOf(disks, journal),
    async attach(node, directory) {
      const disk = { image: join(await root(), `${node}.ext4`), mountpoint: await realpath(directory), run }
      const owner = await stat(directory)
      // A program that is about to mount it must end first.
      const marked = await journal.open({ kind: 'processes', run })
      undos.push(() => journal.close(marked))
      // The loop device goes with the mount.
      const entry = await journal.open({ kind: 'mount', path: directory })
      undos.push(async () => {
        await unmount(directory)
        await journal.close(entry)
      })
      await makeImage(disk)
      await giveTo(directory, owner)
      disks.set(node, disk)
    },
    close: () => undoAll(undos),
  }
}

/** Whose the data directory is was settled before the node, like the mount itself: it lasts. */
async function giveTo(directory: string, { mode, uid, gid }: Stats): Promise<void> {
  await chown(directory, uid, gid)
  await chmod(directory, mode & 0o7777)
  await syncDirectory(directory)
}

const name = 'ext4 on a loop device'

function mechanismOf(disks: ReadonlyMap<string, Ext4Disk>, journal: UndoJournal): StorageMechanism {
  return {
    name,
    lacks: (kind) => (kind === 'power-loss' ? null : diskFor(kind)),
    disturb: async (_, { kind }) => {
      throw new FaultError('disk', `${name} cannot make '${kind}'`, { hint: diskFor(kind).hint })
    },
    async losePower(place, kill) {
      const disk = disks.get(place.name)
      if (disk === undefined) throw new FaultError('disk', `${place.name} has no loop device of ours`)
      const { image, mountpoint } = disk
      const pid = await place.pid()
      // Whatever still runs acknowledges nothing any more, and does not see its disk fail.
      const frozen = pid === null ? null : await freeze(pid, journal)
      const owner = await stat(mountpoint)
      const before = await filesIn(mountpoint)
      await shutDown(mountpoint)
      await frozen?.killOthers()
      await kill()
      await unmountImage(disk)
      await mountImage(disk)
      await giveTo(mountpoint, owner)
      const after = new Map((await filesIn(mountpoint)).map(({ path, bytes }) => [path, bytes]))
      const lost = before.reduce(
        (sum, { path, bytes }) => sum + Math.max(0, bytes - (after.get(path) ?? 0)),
        0,
      )
      const device = await deviceOf(image)
      const recovered = device === null ? null : await replayed(device)
      const seen = recovered === true ? `; the kernel replayed the journal of ${device}` : ''
      return { mechanism: `${name}: shut down without a flush, killed, mounted again${seen}`, lost }
    },
  }
}
