import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreKept } from '../../nemesis/undo/apply/kept-file.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { KeptFile } from '../capabilities.js'
import { inside } from './inside.js'

/** Copies a file of a data directory to a temporary place; what is to be done when the run dies is journalled first. */
export async function keepFile(journal: UndoJournal, dataDir: string, path: string): Promise<KeptFile> {
  const source = await inside(dataDir, path)
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-kept-'))
  const copy = join(directory, 'content')
  const undo = { kind: 'kept-file', dataDir, path, copy } as const
  // The copy comes first: an entry without one would have nothing to write back, and a copy alone harms nobody.
  await copyFile(source, copy)
  const entry = await journal.open(undo)
  let done: Promise<void> | null = null
  return {
    restore: () =>
      (done ??= restoreKept(undo).then(async () => {
        await journal.close(entry)
      })),
    drop: () =>
      (done ??= (async () => {
        // Closed first: an entry that is still open says that the copy is to be written back.
        await journal.close(entry)
        await rm(directory, { recursive: true, force: true })
      })()),
  }
}
