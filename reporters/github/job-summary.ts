import { heading, list, renderMarkdown, table, code, strong } from '../../src/findings/render/markdown.js'
import { summary } from '../../src/findings/render/report/summary.js'
import type { SessionRecord } from '../../src/session/record.js'

/** What the page of a job shows of a session: its first screen, a row for each scenario, and where the report is. */
export function jobSummary(session: SessionRecord, report: string): string {
  const rows = session.scenarios.map(({ id, name, ruling }) => [
    id,
    code(name),
    strong(ruling.verdict),
    ruling.reason,
  ])
  return renderMarkdown([
    heading(2, `Findings: ${session.slug}`),
    ...summary(session),
    ...(rows.length === 0 ? [] : [table(['ID', 'Scenario', 'Verdict', 'Reason'], rows)]),
    list([['Report: ', code(report)]]),
  ])
}
