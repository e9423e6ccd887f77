import type { ScenarioRecord } from '../../session/record.js'
import { code, heading, labelled, list, paragraph, renderMarkdown, strong, type Block } from './markdown.js'
import { checksTable, faultsTable, runsTable } from './tables.js'
import { violationBlocks, type ViolationContext } from './violation.js'

/** `findings/<scenario>.md`: everything that was recorded of one scenario, for people. */
export function renderFinding(record: ScenarioRecord, context: ViolationContext): string {
  return renderMarkdown(findingBlocks(record, context))
}

/** What the page of a scenario is made of: title, name, reason and declaration, then sections under headings of level 2. */
export function findingBlocks(record: ScenarioRecord, context: ViolationContext): Block[] {
  return [
    heading(1, `${record.id}: ${record.ruling.verdict}`),
    paragraph(code(record.name)),
    paragraph(record.ruling.reason),
    declaration(record),
    ...section('Violation', violationBlocks(record, context)),
    ...section('Missing on this machine', missing(record)),
    ...section('Oracle', oracle(record)),
    ...section('Faults', faults(record)),
    ...section('Runs', record.runs.length === 0 ? [] : [runsTable(record.runs)]),
    ...section('Notes', notes(record)),
  ]
}

function section(title: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [heading(2, title), ...blocks]
}

function declaration(record: ScenarioRecord): Block {
  return list([
    ...record.claims.map(({ id, text, categories, source, inferred }) =>
      labelled(
        `Claim ${id}`,
        `${text} (${categories.join(', ')}; ${source ?? 'no source'}${inferred ? ', inferred' : ''})`,
      ),
    ),
    labelled('System', `${record.system} (${record.runs[0]?.systemKind ?? 'not started'})`),
    labelled('Model', record.model ?? 'none'),
    labelled('Checkers', record.checkers.map(({ name }) => name).join(', ')),
    labelled('Faults', record.nemesis.join('; ') || 'none declared'),
    labelled('Budget', `${record.tierAttempted} attempted, ${record.tierMet} met`),
    labelled('Declared at', record.location ?? 'unknown'),
    labelled('Decided by', `row ${record.ruling.row} of the decision, at ${record.finishedAt}`),
  ])
}

function missing(record: ScenarioRecord): Block[] {
  if (record.missing.length === 0) return []
  return [list(record.missing.map(({ what, hint }) => [strong(what), `: ${hint}`]))]
}

function oracle(record: ScenarioRecord): Block[] {
  if (!record.runs.some((run) => run.checks.length > 0)) return []
  const limits = record.checkers.filter(({ scope }) => scope.length > 0)
  return [
    checksTable(record.runs),
    ...(limits.length === 0
      ? []
      : [
          paragraph('What these checkers cannot detect:'),
          list(limits.map(({ name, scope }) => `${name}: ${scope.join('; ')}`)),
        ]),
  ]
}

function faults(record: ScenarioRecord): Block[] {
  return record.runs.some((run) => run.faults.length > 0) ? [faultsTable(record.runs)] : []
}

function notes(record: ScenarioRecord): Block[] {
  const weak = record.runs.flatMap((run) => run.weak.map((lack) => `${run.name}: weak history: ${lack}`))
  const ofRuns = record.runs.flatMap((run) => run.notes.map((note) => `${run.name}: ${note}`))
  const all = [...record.notes, ...ofRuns, ...weak]
  return all.length === 0 ? [] : [list(all)]
}
