import type { SectionPart } from '../markdown/parts.js'
import { referencesIn } from '../markdown/references.js'
import { columnReader, tablesIn, tableWith, type PlanRow } from '../markdown/tables.js'
import type { AdequacyRow, CoverageRow, EnvironmentRow, ResidualRow, TechniqueRow } from '../plan.js'
import type { Position, Text } from '../position.js'

/** Section 5: claim x hypothesis, what covers it, and the scenario that closes the gap. */
export const parseCoverage = rowsOf<CoverageRow>(['claim', 'hypothes'], (read) => ({
  claims: referencesIn(read('claim')),
  hypotheses: referencesIn(read('hypothes')),
  existing: read('existing', 'test'),
  verdict: read('verdict', 'covered', 'coverage'),
  gap: read('gap'),
  scenarios: referencesIn(read('scenario', 'closed by')),
}))

/** Section 6: techniques, each with the hypotheses that it addresses. */
export const parseTechniques = rowsOf<TechniqueRow>(['technique'], (read) => ({
  technique: read('technique'),
  hypotheses: referencesIn(read('hypothes')),
  catches: read('catches', 'what it catches'),
  reference: read('reference'),
  cost: read('cost'),
}))

/** Section 6b: what the scenarios need of a machine. */
export const parseEnvironment = rowsOf<EnvironmentRow>(['requirement'], (read) => ({
  requirement: read('requirement'),
  floor: read('version', 'floor'),
  used: read('scenario', 'used by'),
  scenarios: referencesIn(read('scenario', 'used by')),
  install: read('install', 'how to'),
}))

/** Section 7b: why the scenarios are enough for each claim. */
export const parseAdequacy = rowsOf<AdequacyRow>(['claim', 'scenario'], (read) => ({
  claims: referencesIn(read('claim')),
  threats: read('threat'),
  scenarios: referencesIn(read('scenario')),
  argument: read('why', 'argument', 'sufficien'),
}))

/** Section 7c: what stays uncertain. */
export const parseResidual = rowsOf<ResidualRow>(['what'], (read) => ({
  what: read('what'),
  whyUncovered: read('why uncovered', 'why not', 'why it'),
  whyAcceptable: read('why acceptable', 'accept'),
  revisitWhen: read('revisit'),
}))

type Read = (...names: readonly string[]) => Text | null

/** Reads the rows of the first table of a section that has the given columns. */
function rowsOf<Row extends { readonly at: Position }>(
  columns: readonly string[],
  take: (read: Read) => Omit<Row, 'at'>,
): (part: SectionPart | undefined) => Row[] {
  return (part) => {
    const table = part === undefined ? null : tableWith(tablesIn(part.blocks), ...columns)
    if (table === null) return []
    const column = columnReader(table)
    const rowOf = (row: PlanRow) => ({ at: row.at, ...take((...names) => column(row, ...names)) }) as Row
    return table.rows.map(rowOf)
  }
}
