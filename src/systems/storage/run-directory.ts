import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UndoJournal } from '../../nemesis/undo/journal.js'

/**
 * Gives a directory for what is under a run's disks, made when it is first asked for; its removal, with all that is in it,
 * is added to `undos`.
 *
 * It is below the temporary directory, by the name that the kernel knows: it tells the files behind loop devices by
 * their real paths. Journalled first.
 */
export function runDirectory(journal: UndoJournal, undos: (() => Promise<void>)[]): () => Promise<string> {
  let made: Promise<string> | null = null
  const make = async (): Promise<string> => {
    const path = join(await realpath(tmpdir()), `nemesis-disks-${randomUUID()}`)
    const entry = await journal.open({ kind: 'directory', path })
    undos.push(async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 })
      await journal.close(entry)
    })
    await mkdir(path, { mode: 0o700 })
    return path
  }
  return () => (made ??= make())
}
