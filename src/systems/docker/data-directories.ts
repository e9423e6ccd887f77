import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { DiskOption } from '../storage/disk-option.js'
import { disksFor } from '../storage/disks.js'
import type { NodeDisks } from '../storage/node-disks.js'

/** Directories of this machine that containers get as their data directories, each on a disk of its own. */
export interface DataDirectories {
  readonly disks: NodeDisks
  /** By node. */
  readonly directories: ReadonlyMap<string, string>
  /** Takes disks and directories away; the containers must have ended. */
  close(): Promise<void>
}

/** Makes the directories with their disks; what was made of them is taken away again when one fails. */
export async function makeDataDirectories(
  disk: DiskOption,
  names: readonly string[],
  { run, journal }: { readonly run: string; readonly journal: UndoJournal },
): Promise<DataDirectories> {
  const disks = await disksFor(disk, { run, journal })
  const root = join(tmpdir(), `nemesis-data-${randomUUID()}`)
  const entry = await journal.open({ kind: 'directory', path: root })
  const close = async () => {
    try {
      await disks.close()
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
      await journal.close(entry)
    }
  }
  try {
    const directories = new Map(names.map((name) => [name, join(root, name)] as const))
    await mkdir(root, { mode: 0o700 })
    for (const [name, directory] of directories) {
      await mkdir(directory)
      await disks.attach(name, directory)
    }
    return { disks, directories, close }
  } catch (error) {
    await close()
    throw error
  }
}
