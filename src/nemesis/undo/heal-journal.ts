import { constants } from 'node:fs'
import { appendFile, readFile, rm, truncate } from 'node:fs/promises'
import { messageOf } from '../../errors.js'
import { within } from '../../time/wait.js'
import { applyUndo, describeUndo } from './apply.js'
import type { Undo } from './journal.js'
import { formatLine, parseJournal, type JournalContent } from './journal-lines.js'

const undoWithinMs = 90_000

/** One thing that was taken back, or was not. */
export interface HealedEntry {
  readonly journal: string
  readonly run: string | null
  readonly undone: boolean
  /** What was done, or what could not be and why. */
  readonly detail: string
}

/** A journal's content; null when there is no such file. */
export async function readJournal(file: string): Promise<JournalContent | null> {
  try {
    return parseJournal(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Kinds that sweep a whole run: after them most other entries are gone by themselves. */
const sweeps = new Set<Undo['kind']>(['processes', 'docker-run', 'docker-compose'])

/**
 * Takes back everything that a journal still holds, whole runs first, then the latest first, and deletes the journal
 * when nothing is left. What cannot be taken back stays in it for the next time. Never throws for an entry.
 */
export async function healJournal(file: string): Promise<readonly HealedEntry[]> {
  const content = await readJournal(file)
  if (content === null) return []
  await cutUnfinishedLine(file)
  const run = content.owner?.run ?? null
  const entries: HealedEntry[] = []
  const latestFirst = content.open.toReversed()
  const ordered = [
    ...latestFirst.filter(({ undo }) => sweeps.has(undo.kind)),
    ...latestFirst.filter(({ undo }) => !sweeps.has(undo.kind)),
  ]
  for (const { id, undo } of ordered) {
    try {
      const detail = await within(undoWithinMs, describeUndo(undo), applyUndo(undo))
      await closeEntry(file, id)
      entries.push({ journal: file, run, undone: true, detail })
    } catch (error) {
      entries.push({
        journal: file,
        run,
        undone: false,
        detail: `${describeUndo(undo)}: ${messageOf(error)}`,
      })
    }
  }
  for (const line of content.unreadable) {
    const detail = `line ${line} cannot be read, so what it held was not undone\n  -> look at ${file}, and delete it when nothing is left behind`
    entries.push({ journal: file, run, undone: false, detail })
  }
  if (entries.every((entry) => entry.undone)) await rm(file, { force: true })
  return entries
}

/** What was being written when the run died counts for nothing, and must not become the beginning of a line of ours. */
async function cutUnfinishedLine(file: string): Promise<void> {
  const bytes = await readFile(file)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) await truncate(file, end)
}

/** Another process may have healed and deleted the journal in the meantime; that must not bring it back. */
async function closeEntry(file: string, id: string): Promise<void> {
  try {
    await appendFile(file, formatLine({ close: id }), { flag: constants.O_WRONLY | constants.O_APPEND })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
