import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markWritten, restoreReplaced } from './replaced-file.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { ReplacedFile } from '../capabilities.js'
import { digestOf, writeIn } from './data-files.js'
import { inside } from './inside.js'

/** Replaces a file of a data directory; what is to be done when the run dies is journalled before the change. */
export async function replaceFile(
  journal: UndoJournal,
  { dataDir, path, content }: { dataDir: string; path: string; content: Uint8Array },
): Promise<ReplacedFile> {
  const source = await inside(dataDir, path)
  const directory = join(tmpdir(), `nemesis-kept-${randomUUID()}`)
  const room = await journal.open({ kind: 'directory', path: directory })
  const copy = join(directory, 'content')
  const undo = { kind: 'replaced-file', dataDir, path, copy, sha256: digestOf(content) } as const
  let entry: string | null = null
  try {
    // The copy comes before the entry that asks for it: without one there would be nothing to write back.
    await mkdir(directory, { mode: 0o700 })
    await copyFile(source, copy)
    entry = await journal.open(undo)
    await journal.close(room)
    await writeIn(dataDir, path, content)
    await markWritten(undo)
  } catch (error) {
    if (entry !== null) await writeIn(dataDir, path, await readFile(copy))
    await rm(directory, { recursive: true, force: true })
    await journal.close(entry ?? room)
    throw error
  }
  const opened = entry
  const restore = async (): Promise<boolean> => {
    const back = await restoreReplaced(undo)
    await journal.close(opened)
    return back
  }
  let restored: Promise<boolean> | null = null
  return {
    restore() {
      restored ??= restore().catch((error: unknown) => {
        // Another attempt is allowed.
        restored = null
        throw error
      })
      return restored
    },
  }
}
