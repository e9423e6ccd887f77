import type { SessionRecord } from '../../session/record.js'
import { heading, paragraph, renderMarkdown, type Block } from './markdown.js'
import { propertiesTable } from './properties.js'
import { adequacy, confidence } from './report/adequacy.js'
import { audits } from './report/audits.js'
import { releaseBudgets } from './report/budgets.js'
import type { ReportContext } from './report/context.js'
import { coverage } from './report/coverage.js'
import { drift } from './report/drift.js'
import { findings } from './report/findings.js'
import { header } from './report/header.js'
import { artifacts, notes, unsettled } from './report/remarks.js'
import { schedules } from './report/schedules.js'
import { summary } from './report/summary.js'
import { surfaces } from './report/surfaces.js'
import { results } from './results.js'
import { sensitivityBlocks } from './sensitivity.js'

/**
 * `findings/report.md`: the whole session for people, the headline first. What a reader must not miss says so when it is
 * empty.
 */
export function renderReport(session: SessionRecord, context: ReportContext): string {
  return renderMarkdown(reportBlocks(session, context))
}

/** What the report is made of: a title, the header, then sections under headings of level 2. */
export function reportBlocks(session: SessionRecord, context: ReportContext): Block[] {
  const { scenarios } = session
  const { plan } = context
  return [
    heading(1, `Findings: ${session.slug}`),
    header(session, context),
    ...section('Summary', ...summary(session)),
    ...section('Scenario results', ...results(scenarios)),
    ...section('Findings', ...findings(scenarios, context)),
    ...section('What was not settled, and why', unsettled(scenarios)),
    ...sectionOfAny('Schedules of faults', schedules(scenarios)),
    ...section('Coverage of the hypotheses', coverage(plan, scenarios)),
    ...section('Surfaces', surfaces(plan, scenarios)),
    ...section('Release budgets', releaseBudgets(scenarios)),
    ...section('Adequacy', adequacy(plan, scenarios)),
    ...section('Confidence', ...confidence(plan, scenarios)),
    ...section('Drift from the plan', drift(session)),
    ...section('Audits', ...audits(scenarios)),
    ...section('Would the oracle have noticed', ...sensitivity(session)),
    ...sectionOfAny('Properties', propertiesTable(scenarios)),
    ...section('Notes', notes(scenarios)),
    ...section('Artifacts', artifacts),
  ]
}

function section(title: string, ...blocks: readonly Block[]): Block[] {
  return [heading(2, title), ...blocks]
}

/** What few sessions have: without it there is no section. */
function sectionOfAny(title: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : section(title, ...blocks)
}

function sensitivity({ scenarios }: SessionRecord): readonly Block[] {
  return (
    sensitivityBlocks(scenarios) ?? [
      paragraph('Not asked: no checker found a history clean, or the scenario asks for none.'),
    ]
  )
}
