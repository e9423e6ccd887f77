import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UndoJournal } from '../../nemesis/undo/journal.js'

/** A directory for what is under a run's disks. */
export interface RunDirectory {
  readonly path: string
  /** Removes it with all that is in it. */
  remove(): Promise<void>
}

/**
 * Makes it below the temporary directory, by the name that the kernel knows: it tells the files behind loop devices by
 * their real paths. Journalled first.
 */
export async function makeRunDirectory(journal: UndoJournal): Promise<RunDirectory> {
  const path = join(await realpath(tmpdir()), `nemesis-disks-${randomUUID()}`)
  const entry = await journal.open({ kind: 'directory', path })
  await mkdir(path, { mode: 0o700 })
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
      await journal.close(entry)
    },
  }
}
