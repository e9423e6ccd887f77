import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EnvironmentError, messageOf } from '../../errors.js'
import { processStartTime } from '../../systems/process/start-time.js'
import { healJournal, readJournal, type HealedEntry } from './heal-journal.js'
import type { JournalOwner } from './journal-lines.js'
import { undoDirectory } from './state-directory.js'

/** What healing has found and done. */
export interface HealReport {
  readonly entries: readonly HealedEntry[]
  /** Journals that were left alone because their run is still alive, or on another machine. */
  readonly live: readonly {
    readonly journal: string
    readonly run: string
    readonly pid: number
    readonly host: string
  }[]
}

/**
 * Takes back what runs that have died left behind: every journal in the directory whose owner (pid and start time) is
 * gone. Journals of living runs, and of runs on other machines, are left alone. Never throws for a single journal.
 */
export async function heal({
  directory = undoDirectory(),
}: { directory?: string } = {}): Promise<HealReport> {
  const entries: HealedEntry[] = []
  const live: HealReport['live'][number][] = []
  for (const journal of await journalsIn(directory)) {
    try {
      const owner = (await readJournal(journal))?.owner ?? null
      if (owner !== null && (await isAlive(owner))) {
        const { run, pid, host } = owner
        live.push({ journal, run, pid, host })
      } else entries.push(...(await healJournal(journal)))
    } catch (error) {
      entries.push({ journal, run: null, undone: false, detail: `${journal}: ${messageOf(error)}` })
    }
  }
  return { entries, live }
}

async function journalsIn(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory)
    return names
      .filter((name) => name.endsWith('.ndjson'))
      .toSorted()
      .map((name) => join(directory, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new EnvironmentError(
      'a directory for undo journals',
      `the undo journals cannot be read: ${messageOf(error)}`,
      'let NEMESIS_STATE_DIR name a directory that can be read and written',
    )
  }
}

/** Without a recorded start time a living pid is taken for the owner: better to leave a journal than to undo a live run's faults. */
async function isAlive({ pid, startTime, host }: JournalOwner): Promise<boolean> {
  if (host !== hostname()) return true
  const now = await processStartTime(pid)
  return now !== null && (startTime === null || now === startTime)
}
