import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Vitest } from 'vitest/node'
import { tellGitHub } from '../../reporters/github/github-actions.js'
import type { SessionSummary } from '../../reporters/terminal/session-view.js'
import { renderClosing } from '../../src/findings/render/session-log.js'
import { writeReport } from '../../src/findings/report.js'
import { displayPath } from '../../src/session/display-path.js'
import { sessionLayout } from '../../src/session/layout.js'
import { projectRoot } from '../../src/plan/project-root.js'
import { parsePlan } from '../../src/plan/parse/parse.js'
import { sessionDrift } from '../../src/plan/drift/session-drift.js'
import { keepPlan, readKeptPlan } from '../../src/session/plan-copy.js'
import { readJson } from '../../src/session/read-json.js'
import { scenarioRecordSchema, type ScenarioRecord, type SessionInfo } from '../../src/session/record.js'
import { sharedIds } from '../../src/session/shared-ids.js'
import { closeLog, readSession, writeScenarioRecord, writeSessionInfo } from '../../src/session/session.js'
import type { ResolvedOptions } from './options.js'
import { makeSessionDirectory, sessionsOf } from './session-directory.js'
import { sessionInfo } from './session-info.js'

// Loaded when the first scenario of a run starts, so that ordinary suites do not pay for it.

/** The session of one run, on disk. */
export interface Session {
  readonly directory: string
  readonly info: SessionInfo
  /** Vitest's root, to which the path of the plan is relative. */
  readonly root: string
}

/** Makes the session directory of a run and writes down what is known at its start. */
export async function startSession(vitest: Vitest, options: ResolvedOptions): Promise<Session> {
  const startedAt = new Date()
  const sessions = sessionsOf(vitest.config.root, options)
  const directory = await makeSessionDirectory(sessions, startedAt)
  const info = await sessionInfo(vitest, options, { slug: basename(sessions), startedAt })
  await writeSessionInfo(directory, info)
  if (options.plan !== null) await keepPlan(directory, join(vitest.config.root, options.plan))
  return { directory, info, root: vitest.config.root }
}

/** What a scenario has recorded in the session; null when there is nothing. */
export async function readRecord(session: Session, scenario: string): Promise<ScenarioRecord | null> {
  const file = sessionLayout(session.directory).record(scenario)
  return existsSync(file) ? readJson(file, scenarioRecordSchema) : null
}

/** Adds the records of scenarios that left none themselves, and writes the report. */
export async function finishSession(
  { directory, info, root }: Session,
  records: readonly ScenarioRecord[],
): Promise<SessionSummary> {
  for (const record of records) await writeScenarioRecord(directory, record)
  const finishedAt = new Date().toISOString()
  const drift = await recordDrift({ directory, info, root })
  const record = await writeReport(directory, { ...info, drift: [...drift], finishedAt })
  closeLog(directory, renderClosing(record))
  const report = sessionLayout(directory).reportMarkdown
  await tellGitHub(record, { root, report: displayPath(report), environment: process.env })
  const { verdict, scenarios } = record
  return {
    verdict,
    scenarios,
    report,
    remarks: [...sharedIds(scenarios), ...(await planRemarks(directory, info))],
  }
}

async function planRemarks(directory: string, { plan }: Pick<SessionInfo, 'plan'>): Promise<string[]> {
  if (plan === null || (await readKeptPlan(directory)) !== null) return []
  return [
    `there was no plan ${plan} when the run started, so nothing is measured against it: correct \`plan\` of nemesis()`,
  ]
}

/** Compares the plan with what was recorded, and records what no test implements as not run. */
async function recordDrift({ directory, info, root }: Session): Promise<SessionInfo['drift']> {
  const text = await readKeptPlan(directory)
  if (text === null || info.plan === null) return []
  const { scenarios } = await readSession(directory)
  const project = projectRoot(join(root, info.plan))
  const plan = parsePlan(text, info.plan)
  const { drift, records } = sessionDrift(plan, scenarios, { root: project, tier: info.tier })
  for (const record of records) await writeScenarioRecord(directory, record)
  return [...drift]
}
