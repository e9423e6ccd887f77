import type { Operation } from '../../history/operation.js'
import type { ScenarioRecord, SessionRecord } from '../../session/record.js'
import { verdicts } from '../../verdict/verdict.js'
import { headline } from './headline.js'
import {
  code,
  fileLink,
  heading,
  joined,
  labelled,
  list,
  paragraph,
  renderMarkdown,
  strong,
  table,
  type Block,
} from './markdown.js'
import { propertiesTable } from './properties.js'
import { resultsTable } from './results.js'
import { sensitivityBlocks } from './sensitivity.js'
import { filesOf } from './tables.js'
import { violationBlocks } from './violation.js'

export interface ReportContext {
  /** The session directory as a reader types it. */
  readonly sessionPath: string
  /** The operations that show each scenario's violation, by the scenario's name. */
  readonly counterexamples: ReadonlyMap<string, readonly Operation[]>
}

/** `findings/report.md`: the whole session for people, the headline first. */
export function renderReport(session: SessionRecord, context: ReportContext): string {
  return renderMarkdown([
    heading(1, `Findings: ${session.slug}`),
    header(session, context),
    heading(2, 'Summary'),
    paragraph([strong(session.verdict), `. ${headline(session)}`]),
    ...(session.scenarios.length === 0 ? [] : [counts(session.scenarios)]),
    heading(2, 'Scenario results'),
    session.scenarios.length === 0 ? paragraph('No scenario was recorded.') : resultsTable(session.scenarios),
    heading(2, 'Findings'),
    ...findings(session.scenarios, context),
    heading(2, 'Properties'),
    orLine(propertiesTable(session.scenarios), 'No scenario asserts any.'),
    heading(2, 'Would the oracle have noticed'),
    ...(sensitivityBlocks(session.scenarios) ?? [
      paragraph('Not asked: no checker found a history clean, or `sensitivity` is false.'),
    ]),
    heading(2, 'What was not settled, and why'),
    orLine(unsettled(session.scenarios), 'Every scenario was settled.'),
    heading(2, 'Surfaces'),
    paragraph('None declared.'),
    heading(2, 'Release budgets'),
    orLine(
      releaseBudgets(session.scenarios),
      'No scenario declares a budget for a release tier, nor why it has none.',
    ),
    heading(2, 'Notes'),
    orLine(notes(session.scenarios), 'None.'),
    heading(2, 'Artifacts'),
    artifacts(session.scenarios),
  ])
}

function header(
  { plan, commit, startedAt, finishedAt, tier, gate, tool }: SessionRecord,
  context: ReportContext,
): Block {
  return list([
    labelled('Plan', plan === null ? 'none configured' : code(plan)),
    labelled(
      'Commit under test',
      commit === null
        ? 'not in a git repository'
        : [code(commit.id), commit.clean ? ', clean work tree' : ', with uncommitted changes'],
    ),
    labelled('Session', [code(context.sessionPath), `, ${startedAt} to ${finishedAt ?? 'not finished'}`]),
    labelled('Tier attempted', `${tier}, gate ${gate}`),
    labelled(
      'Tool',
      `${tool.name} ${tool.version}, Node ${tool.node}, Vitest ${tool.vitest}, ${tool.platform}`,
    ),
  ])
}

function counts(scenarios: readonly ScenarioRecord[]): Block {
  const rows = verdicts.flatMap((verdict) => {
    const ids = scenarios.filter(({ ruling }) => ruling.verdict === verdict).map(({ id }) => id)
    return ids.length === 0 ? [] : [[verdict, String(ids.length), ids.join(', ')]]
  })
  return table(['Verdict', 'Scenarios', 'IDs'], rows)
}

function findings(scenarios: readonly ScenarioRecord[], context: ReportContext): Block[] {
  const failed = scenarios.filter(({ ruling }) => ruling.verdict.startsWith('FAIL-'))
  if (failed.length === 0) return [paragraph('None: no violation was observed under the faults that landed.')]
  return failed.flatMap((record) => [
    heading(3, [`${record.id} `, code(record.name), `: ${record.ruling.verdict}`]),
    ...violationBlocks(record, {
      sessionPath: context.sessionPath,
      counterexample: context.counterexamples.get(record.name) ?? [],
    }),
  ])
}

function unsettled(scenarios: readonly ScenarioRecord[]): Block | null {
  const open = scenarios.filter(({ ruling }) => !/^(PASS|FAIL)-/.test(ruling.verdict))
  return open.length === 0
    ? null
    : list(
        open.map(({ id, name, ruling }) => [`${id} `, code(name), ` (${ruling.verdict}): ${ruling.reason}`]),
      )
}

function releaseBudgets(scenarios: readonly ScenarioRecord[]): Block | null {
  const disclosures = scenarios.flatMap(({ id, budget }) => {
    const release = budget?.release
    if (release === undefined) return []
    if ('notProvided' in release) {
      return [`${id}: not provided, because ${release.notProvided}; revisit when ${release.revisitWhen}`]
    }
    const { duration, nodes, faults, seeds } = release
    return [
      `${id}: declared as ${typeof duration === 'number' ? `${duration} ms` : duration}, ${nodes} nodes, ${faults} faults, ${seeds} seeds`,
    ]
  })
  return disclosures.length === 0 ? null : list(disclosures)
}

function notes(scenarios: readonly ScenarioRecord[]): Block | null {
  const remarks = scenarios.flatMap(({ id, notes: own, runs }) => [
    ...own.map((note) => `${id}: ${note}`),
    ...runs.flatMap((run) => run.notes.map((note) => `${id} ${run.name}: ${note}`)),
  ])
  return remarks.length === 0 ? null : list(remarks)
}

function artifacts(scenarios: readonly ScenarioRecord[]): Block {
  const files = scenarios.flatMap(({ id, runs }) =>
    runs.flatMap((run) => {
      const links = filesOf(run)
      return links.length === 0 ? [] : [[`${id} ${run.name}: `, ...joined(links, ', ')]]
    }),
  )
  return list([
    [fileLink('../session-log.md', 'session-log.md'), ': timeline and verdicts'],
    [fileLink('report.json', 'report.json'), ': this report as data'],
    ...files,
  ])
}

function orLine(block: Block | null, line: string): Block {
  return block ?? paragraph(line)
}
