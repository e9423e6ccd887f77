import { chmod, chown, stat } from 'node:fs/promises'
import { execa } from 'execa'
import { FaultError } from '../../../errors.js'
import { unmount } from '../mount.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { undoAll } from '../../undo-all.js'
import type { NodeDisks } from '../node-disks.js'

const timeoutMs = 10_000

/**
 * A memory file system for each node, of a fixed size such as `16m`: small enough to be filled. What is on it outlives
 * the node and ends with the run.
 */
export function tmpfsDisks(size: string, journal: UndoJournal): NodeDisks {
  const undos: (() => Promise<void>)[] = []
  return {
    mechanism: null,
    async attach(node, directory) {
      const { mode, uid, gid } = await stat(directory)
      const entry = await journal.open({ kind: 'mount', path: directory })
      undos.push(async () => {
        await unmount(directory)
        await journal.close(entry)
      })
      const args = ['-t', 'tmpfs', '-o', `size=${size},nosuid,nodev`, 'nemesis', directory]
      const { failed, all } = await execa('mount', args, {
        reject: false,
        all: true,
        stdin: 'ignore',
        timeout: timeoutMs,
      })
      if (failed) {
        throw new FaultError(
          'mount',
          `${node}: a tmpfs of ${size} cannot be mounted at ${directory}: ${all?.trim()}`,
        )
      }
      await chown(directory, uid, gid)
      await chmod(directory, mode & 0o7777)
    },
    close: () => undoAll(undos),
  }
}
