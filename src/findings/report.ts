import type { Operation } from '../history/operation.js'
import { displayPath } from '../session/display-path.js'
import { parsePlan } from '../plan/parse/parse.js'
import { sessionLayout } from '../session/layout.js'
import {
  schemaVersion,
  sessionRecordSchema,
  type SessionInfo,
  type SessionRecord,
} from '../session/record.js'
import { readKeptPlan } from '../session/plan-copy.js'
import { readSession, writeSessionInfo } from '../session/session.js'
import { writeAtomically } from '../session/write-atomically.js'
import { scenarioVerdicts } from '../verdict/arms.js'
import { counted } from '../verdict/regression.js'
import { sessionVerdict } from '../verdict/session.js'
import { readCounterexample } from './counterexample.js'
import { writeHtmlReport } from './html-report.js'
import { renderFinding } from './render/finding.js'
import { renderReport } from './render/report.js'
import { violationContext } from './render/report/findings.js'

/**
 * Writes `findings/report.md`, `findings/report.json`, `findings/report.html` and every `findings/<scenario>.md` from what
 * the session directory holds, and keeps `info` there, so that the report can be made again anywhere.
 *
 * Throws SessionError or HistoryError, naming the file, when something recorded cannot be read.
 */
export async function writeReport(sessionDir: string, info: SessionInfo): Promise<SessionRecord> {
  await writeSessionInfo(sessionDir, info)
  const { scenarios } = await readSession(sessionDir)
  const session = sessionRecordSchema.parse({
    ...info,
    schema: schemaVersion,
    verdict: sessionVerdict(scenarioVerdicts(scenarios.map(counted))),
    scenarios,
  })
  const counterexamples = new Map<string, readonly Operation[]>()
  for (const record of scenarios)
    counterexamples.set(record.name, await readCounterexample(sessionDir, record))

  const layout = sessionLayout(sessionDir)
  const sessionPath = displayPath(sessionDir)
  const kept = await readKeptPlan(sessionDir)
  const plan = kept === null ? null : parsePlan(kept, info.plan ?? layout.plan)
  const context = { sessionPath, plan, counterexamples }
  for (const record of scenarios) {
    await writeAtomically(
      layout.finding(record.name),
      renderFinding(record, violationContext(record, context)),
    )
  }
  await writeAtomically(layout.reportMarkdown, renderReport(session, context))
  await writeAtomically(layout.reportJson, `${JSON.stringify(session, null, 2)}\n`)
  const lost = await writeHtmlReport(sessionDir, session, context)
  if (lost !== null) process.stderr.write(`vitest-nemesis: ${lost}\n`)
  return session
}
