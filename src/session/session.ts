import { appendFileSync, existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SessionError } from '../errors.js'
import { sessionLayout, type SessionLayout } from './layout.js'
import { readJson } from './read-json.js'
import { scenarioRecordSchema, sessionInfoSchema, type ScenarioRecord, type SessionInfo } from './record.js'
import { writeAtomically } from './write-atomically.js'

/**
 * A session is a directory. Several processes write to it at the same time: each scenario has files of its own, the
 * log is only ever appended to in single lines, and everything else is replaced as a whole.
 */

/** Makes the directories of a session and starts its log. Safe to call again, and from several processes. */
export async function createSession(directory: string): Promise<SessionLayout> {
  const layout = sessionLayout(directory)
  await Promise.all(
    [layout.logs, layout.metrics, layout.artifacts, layout.findings].map((path) =>
      mkdir(path, { recursive: true }),
    ),
  )
  try {
    await writeFile(layout.log, '# Session log\n\n', { flag: 'wx' })
  } catch (error) {
    // Another process has started the log already.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return layout
}

/** The layout of a session that exists. Throws SessionError when the directory is not one. */
export function openSession(directory: string): SessionLayout {
  const layout = sessionLayout(directory)
  if (existsSync(layout.log) || existsSync(layout.info)) return layout
  throw new SessionError(
    'not-a-session',
    `${directory} is not a session directory: it has no session-log.md`,
    {
      hint: 'name a directory such as test-sessions/<slug>/<time>',
    },
  )
}

/**
 * Adds a line with the time to the session's log.
 * Synchronous, so that the line is there also when the process ends right after.
 */
export function appendToLog(directory: string, message: string): void {
  const line = message.replaceAll(/\s*\n\s*/g, ' / ')
  appendFileSync(sessionLayout(directory).log, `- ${new Date().toISOString()} ${line}\n`)
}

/** Adds Markdown below the timeline of the session's log. */
export function closeLog(directory: string, markdown: string): void {
  appendFileSync(sessionLayout(directory).log, `\n${markdown}`)
}

/** Writes `artifacts/session.json`. */
export async function writeSessionInfo(directory: string, info: SessionInfo): Promise<void> {
  await writeAtomically(sessionLayout(directory).info, toText(sessionInfoSchema.parse(info)))
}

/**
 * Writes `artifacts/<scenario>/record.json` and a line with the verdict to the log.
 * Throws SessionError when another scenario of the same name, with another id, is there already.
 */
export async function writeScenarioRecord(directory: string, record: ScenarioRecord): Promise<void> {
  const file = sessionLayout(directory).record(record.name)
  if (existsSync(file)) {
    const { id } = await readJson(file, scenarioRecordSchema)
    if (id !== record.id) {
      throw new SessionError(
        'duplicate-name',
        `scenarios ${id} and ${record.id} are both called '${record.name}'`,
        {
          hint: 'rename one of them: a name stands for one scenario in a session',
        },
      )
    }
  }
  await writeAtomically(file, toText(scenarioRecordSchema.parse(record)))
  const { verdict, reason } = record.ruling
  appendToLog(
    directory,
    `${record.id} ${record.name}: ${verdict} (budget met: ${record.tierMet}; attempted: ${record.tierAttempted}). ${reason}`,
  )
}

/**
 * What is recorded of a session, scenarios in the order of their ids. `info` is null when nobody wrote it.
 * Throws SessionError that names the file which cannot be used.
 */
export async function readSession(
  directory: string,
): Promise<{ scenarios: ScenarioRecord[]; info: SessionInfo | null }> {
  const { artifacts, info } = openSession(directory)
  const entries = existsSync(artifacts) ? await readdir(artifacts, { withFileTypes: true }) : []
  const files = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(artifacts, entry.name, 'record.json'))
    // A scenario that is still running has artifacts and no record yet.
    .filter((file) => existsSync(file))
  const scenarios = await Promise.all(files.map((file) => readJson(file, scenarioRecordSchema)))
  return {
    scenarios: scenarios.toSorted(byId),
    info: existsSync(info) ? await readJson(info, sessionInfoSchema) : null,
  }
}

const natural = new Intl.Collator('en', { numeric: true })

function byId(one: ScenarioRecord, other: ScenarioRecord): number {
  return natural.compare(one.id, other.id) || natural.compare(one.name, other.name)
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
