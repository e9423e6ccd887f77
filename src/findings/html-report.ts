import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.js'
import { readColumns } from '../history/read.js'
import { sessionLayout } from '../session/layout.js'
import type { ScenarioRecord, SessionRecord } from '../session/record.js'
import { appendToLog } from '../session/session.js'
import { writeAtomically } from '../session/write-atomically.js'
import { drawHistory } from './render/html/history/drawn-history.js'
import { renderPage } from './render/html/page.js'
import type { Drawing } from './render/html/scenario.js'
import type { ReportContext } from './render/report/context.js'
import { proofOf, tellingRun, violationOf } from './violation.js'

/** So many operations are drawn on a page, and so many of one run at least and at most. */
const drawnInAll = 16_000
const drawnLeast = 300
const drawnMost = 1_500

/**
 * Writes `findings/report.html`. What goes wrong with it never fails a run, whose results are in the other files: the
 * error is returned in words and noted in the session's log, and no page of an earlier time is left. Null when it is written.
 */
export async function writeHtmlReport(
  sessionDir: string,
  session: SessionRecord,
  context: ReportContext,
): Promise<string | null> {
  const { reportHtml } = sessionLayout(sessionDir)
  try {
    const drawings = await drawingsOf(sessionDir, session.scenarios)
    await writeAtomically(reportHtml, renderPage(session, { ...context, drawings }))
    return null
  } catch (error) {
    const message = `report.html could not be written: ${messageOf(error)}; the other files of the report are whole`
    await rm(reportHtml, { force: true }).catch(() => {
      // The directory cannot be changed at all, which the message already says.
    })
    appendToLog(sessionDir, message)
    return message
  }
}

async function drawingsOf(
  sessionDir: string,
  scenarios: readonly ScenarioRecord[],
): Promise<ReadonlyMap<string, Drawing>> {
  const share = Math.floor(drawnInAll / Math.max(1, scenarios.length))
  const most = Math.min(drawnMost, Math.max(drawnLeast, share))
  const drawings = new Map<string, Drawing>()
  // One after the other: of long histories there is not room for two.
  for (const record of scenarios) {
    const drawing = await drawingOf(sessionDir, record, most)
    if (drawing !== null) drawings.set(record.name, drawing)
  }
  return drawings
}

async function drawingOf(sessionDir: string, record: ScenarioRecord, most: number): Promise<Drawing | null> {
  const run = tellingRun(record)
  if (run === undefined || run.history === null) return null
  try {
    const { columns } = await readColumns(join(sessionDir, run.history), { allowEmpty: true })
    return { history: drawHistory(columns, { faults: run.faults, core: coreOf(record), most }) }
  } catch (error) {
    return { unreadable: messageOf(error) }
  }
}

/** The operations that the page tells by name: those of the counterexample, and of the cycles that it draws. */
function coreOf(record: ScenarioRecord): ReadonlySet<string> {
  const cycles = violationOf(record)?.check.anomalies.flatMap(({ cycle }) => cycle ?? []) ?? []
  return new Set([
    ...(proofOf(record)?.operations ?? []),
    ...cycles.flatMap(({ from, to }) => [String(from), String(to)]),
  ])
}
