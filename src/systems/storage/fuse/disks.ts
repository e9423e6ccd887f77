import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError } from '../../../errors.js'
import { unmount } from '../mount.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { undoAll } from '../../undo-all.js'
import { processStartTime } from '../../process/start-time.js'
import { freeze } from '../freeze.js'
import type { NodePlace, StorageMechanism } from '../mechanism.js'
import type { NodeDisks } from '../node-disks.js'
import { runDirectory } from '../run-directory.js'
import { FuseDisk } from './disk.js'
import { fuseRule } from './rule.js'

const mechanism = 'FUSE file system'

/**
 * A file system of our own for each node, in a process of its own: it can do everything that a disk can do wrong, by
 * itself and at once. What is on it ends with the run.
 */
export function fuseDisks(run: string, journal: UndoJournal): NodeDisks {
  const disks = new Map<string, FuseDisk>()
  const undos: (() => Promise<void>)[] = []
  const root = runDirectory(journal, undos)
  return {
    mechanism: mechanismOf(disks, journal),
    async attach(node, mountpoint) {
      const directory = join(await root(), node)
      await mkdir(directory)
      const { mode, uid, gid } = await stat(mountpoint)
      // By the mark of the run, and by the directory: both on disk before there is a process or a mount.
      const marked = await journal.open({ kind: 'processes', run })
      undos.push(() => journal.close(marked))
      const mounted = await journal.open({ kind: 'mount', path: mountpoint })
      const disk = new FuseDisk({
        node,
        mountpoint,
        directory,
        logFile: join(await root(), `${node}.log`),
        run,
      })
      let entry: string | null = null
      undos.push(async () => {
        disk.expectEnd()
        await unmount(mountpoint)
        await journal.close(mounted)
        try {
          await disk.end()
        } finally {
          if (entry !== null) await journal.close(entry)
        }
      })
      const startTime = await processStartTime(disk.pid)
      entry = await journal.open({ kind: 'process', pid: disk.pid, startTime })
      await disk.mounted()
      disks.set(node, disk)
      await chown(mountpoint, uid, gid)
      await chmod(mountpoint, mode & 0o7777)
    },
    close: () => undoAll(undos),
  }
}

function mechanismOf(disks: ReadonlyMap<string, FuseDisk>, journal: UndoJournal): StorageMechanism {
  const diskOf = ({ name }: NodePlace): FuseDisk => {
    const disk = disks.get(name)
    if (disk !== undefined) return disk
    throw new FaultError('disk', `${name} has no file system of ours`, { hint: "see disk: 'fuse'" })
  }
  return {
    name: mechanism,
    lacks: () => null,
    disturb: async (place, disturbance) => fuseRule(diskOf(place), disturbance, mechanism),
    async losePower(place, kill) {
      const disk = diskOf(place)
      const pid = await place.pid()
      // Whatever still runs acknowledges nothing any more, and does not see its disk fail.
      const frozen = pid === null ? null : await freeze(pid, journal)
      await disk.tell('powerOff', {})
      await frozen?.killOthers()
      await kill()
      const { bytes } = await disk.tell('powerOn', {})
      return { mechanism: `${mechanism} that forgot what was not synced`, lost: bytes }
    },
  }
}
