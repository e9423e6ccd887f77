import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { ScenarioRecord } from '../../session/record.js'
import { readSession } from '../../session/session.js'

/**
 * What the session after the given one recorded of a scenario: sessions are named by their time and stand side by side.
 * Null when there is no later one, as when the run ended before it wrote anything.
 */
export async function newest(session: string, scenario: string): Promise<ScenarioRecord | null> {
  const folder = dirname(resolve(session))
  const later = (await readdir(folder)).filter((name) => name > basename(resolve(session))).toSorted()
  const last = later.at(-1)
  if (last === undefined) return null
  const { scenarios } = await readSession(join(folder, last))
  return scenarios.find(({ name }) => name === scenario) ?? null
}
