import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { sessionLayout } from '../../session/layout.js'
import { readJson } from '../../session/read-json.js'
import { scenarioRecordSchema, type ScenarioRecord } from '../../session/record.js'

/** Earlier sessions that are looked at. */
const mostSessions = 200

/**
 * When a scenario that is pinned to a known-bad version last found its violation before this session, by the sessions
 * beside it, which are named by their time; null when it never did. Records of other versions of the format are passed
 * over.
 */
export async function lastFailedAt(
  sessionDir: string,
  { name, regression }: Pick<ScenarioRecord, 'name' | 'regression'>,
): Promise<string | null> {
  const own = resolve(sessionDir)
  const folder = dirname(own)
  const earlier = (await readdir(folder)).filter((other) => other < basename(own)).toSorted()
  for (const session of earlier.slice(-mostSessions).toReversed()) {
    const file = sessionLayout(join(folder, session)).record(name)
    if (!existsSync(file)) continue
    // What an older version has written says nothing that could be relied on.
    const record = await readJson(file, scenarioRecordSchema).catch(() => null)
    if (record === null || record.regression?.of !== regression?.of) continue
    if (record.ruling.verdict.startsWith('FAIL-')) return record.finishedAt
  }
  return null
}

/** What a pinned scenario that finds no violation any more tells its author. */
export function lostInWords({ regression }: Pick<ScenarioRecord, 'regression'>): string {
  const last = regression?.lastFailedAt ?? null
  const when = last === null ? 'it did in no earlier session here' : `it last did on ${last}`
  return `it no longer fails on ${regression?.of}: the pin or the oracle has changed (${when})`
}
