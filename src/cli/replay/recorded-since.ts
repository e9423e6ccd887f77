import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { readJson } from '../../session/read-json.js'
import { scenarioRecordSchema, type ScenarioRecord } from '../../session/record.js'
import { sessionLayout } from '../../session/layout.js'

/** Names of the sessions that stand beside one, itself included. They are named by their time. */
export function sessionsBeside(session: string): Promise<string[]> {
  return readdir(dirname(resolve(session)))
}

/**
 * What was recorded of a scenario in a session that was not there before; null when there is none, as when the run ended
 * before it wrote anything. Sessions that were there say nothing of it, however late they are.
 */
export async function recordedSince(
  before: readonly string[],
  { session, scenario }: { readonly session: string; readonly scenario: string },
): Promise<ScenarioRecord | null> {
  const known = new Set([...before, basename(resolve(session))])
  const made = (await sessionsBeside(session)).filter((name) => !known.has(name)).toSorted()
  for (const name of made.toReversed()) {
    const file = sessionLayout(join(dirname(resolve(session)), name)).record(scenario)
    if (existsSync(file)) return readJson(file, scenarioRecordSchema)
  }
  return null
}
