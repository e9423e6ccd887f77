import { digestOf } from '../digest.js'
import { field, fieldsIn } from '../markdown/fields.js'
import { splitSections, type SectionPart } from '../markdown/parts.js'
import { locatedText, positionOf, readMarkdown } from '../markdown/read.js'
import { tablesIn } from '../markdown/tables.js'
import type { EnvironmentRow, Plan, PlanScenario, Section } from '../plan.js'
import type { SectionId } from '../sections.js'
import { parseClaims } from './claims.js'
import { parseHypotheses } from './hypotheses.js'
import { parseAdequacy, parseCoverage, parseEnvironment, parseResidual, parseTechniques } from './rows.js'
import { parseScenarios } from './scenarios.js'

/**
 * Reads a plan document. It is tolerant of prose, of the order of the sections and of what a writer adds: what it does
 * not find is null or empty, and `nemesis plan check` says so. It never throws.
 */
export function parsePlan(text: string, file: string): Plan {
  const root = readMarkdown(text)
  const { preamble, sections } = splitSections(root)
  const header = fieldsIn(preamble)
  const part = (id: SectionId) => sections.find((section) => section.id === id)
  const first = sections.filter((section) => part(section.id) === section)
  const { scenarios, unnumbered } = parseScenarios(part('7'))
  return {
    file,
    title: locatedText(preamble.find(({ type }) => type === 'heading')),
    mode: field(header, 'mode'),
    change: field(header, 'change', 'revisions'),
    digest: digestOf(text),
    sections: new Map(first.map((section) => [section.id, sectionOf(section)])),
    repeated: sections.filter((section) => !first.includes(section)).map(sectionOf),
    claims: parseClaims(part('1b')),
    hypotheses: parseHypotheses(part('4')),
    coverage: parseCoverage(part('5')),
    techniques: parseTechniques(part('6')),
    environment: parseEnvironment(part('6b')).map((row) => ofEvery(row, scenarios)),
    scenarios,
    unnumbered,
    adequacy: parseAdequacy(part('7b')),
    residual: parseResidual(part('7c')),
  }
}

/** A requirement of `all` scenarios is one of each. */
function ofEvery(row: EnvironmentRow, scenarios: readonly PlanScenario[]): EnvironmentRow {
  const { used } = row
  if (used === null || row.scenarios.length > 0 || !/^(?:all|every)\b/i.test(used.text)) return row
  return { ...row, scenarios: scenarios.map(({ id }) => ({ id, at: used.at })) }
}

function sectionOf({ id, title, heading, blocks }: SectionPart): Section {
  const seen = blocks.flatMap((block) => locatedText(block) ?? [])
  const text = seen.map((block) => block.text).join('\n')
  return {
    id,
    at: positionOf(heading),
    title,
    text,
    blocks: seen,
    lines: text === '' ? 0 : text.split('\n').length,
    tables: tablesIn(blocks),
    lists: blocks.some(({ type }) => type === 'list'),
  }
}
