import { mkdir, open, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FaultError, messageOf } from '../../errors.js'
import { processStartTime } from '../../systems/process/start-time.js'
import { formatLine, type JournalLine } from './journal-lines.js'
import type { UndoJournal } from './journal.js'
import { undoDirectory } from './state-directory.js'

/** The undo journal of one run, on disk. */
export interface FileJournal extends UndoJournal {
  readonly file: string
  /** Ends the journal: deletes its file when every entry is closed, else leaves it for `nemesis heal`. Safe to call twice. */
  finish(): Promise<void>
}

/** Where the journal of a run of this process is, whether it is opened yet or not. */
export function journalPath(runId: string, directory: string = undoDirectory()): string {
  return join(directory, `${runId.replaceAll(/[^\w.-]/g, '_')}-${process.pid}.ndjson`)
}

/**
 * Opens a journal owned by this process. Every line is synced to disk before its promise resolves.
 * Throws FaultError when the directory cannot be written: without a journal nothing may be injected.
 */
export async function openJournal(runId: string, directory: string = undoDirectory()): Promise<FileJournal> {
  const file = journalPath(runId, directory)
  const handle = await create(directory, file)
  const pending = new Set<string>()
  let opened = 0
  let finished: Promise<void> | null = null
  let last: Promise<void> = Promise.resolve()

  /** Lines are written one after the other, each synced, in the order of the calls. */
  const append = (line: JournalLine): Promise<void> => {
    const written = last.then(async () => {
      await handle.appendFile(formatLine(line))
      await handle.sync()
    })
    // A failed write rejects for its caller; the next one is tried all the same.
    last = written.catch(() => undefined)
    return written
  }

  const startTime = await processStartTime(process.pid)
  await append({ owner: { pid: process.pid, startTime, run: runId, host: hostname(), cwd: process.cwd() } })
  return {
    file,
    async open(undo) {
      const id = `U${++opened}`
      await append({ open: id, undo })
      pending.add(id)
      return id
    },
    async close(id) {
      if (!pending.has(id)) return
      await append({ close: id })
      pending.delete(id)
    },
    finish() {
      finished ??= last.then(async () => {
        await handle.close()
        if (pending.size === 0) await rm(file, { force: true })
      })
      return finished
    },
  }
}

async function create(directory: string, file: string) {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const handle = await open(file, 'a', 0o600)
    await syncDirectory(directory)
    return handle
  } catch (error) {
    throw new FaultError('journal', `the undo journal ${file} cannot be written: ${messageOf(error)}`, {
      hint: 'set NEMESIS_STATE_DIR to a directory that you may write',
      cause: error,
    })
  }
}

/** Makes the new file's name durable as well. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } catch {
    // Windows cannot sync a directory; there the file's own sync has to do.
  } finally {
    await handle.close()
  }
}
