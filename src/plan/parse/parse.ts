import { digestOf } from '../digest.js'
import { field, fieldsIn } from '../markdown/fields.js'
import { splitSections, type SectionPart } from '../markdown/parts.js'
import { locatedText, positionOf, readMarkdown, textOf } from '../markdown/read.js'
import { tablesIn } from '../markdown/tables.js'
import type { Plan, Section } from '../plan.js'
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
  return {
    file,
    title: locatedText(preamble.find(({ type }) => type === 'heading')),
    mode: field(header, 'mode'),
    change: field(header, 'change', 'revisions'),
    digest: digestOf(text),
    sections: new Map(sections.map((section) => [section.id, sectionOf(section)])),
    claims: parseClaims(part('1b')),
    hypotheses: parseHypotheses(part('4')),
    coverage: parseCoverage(part('5')),
    techniques: parseTechniques(part('6')),
    environment: parseEnvironment(part('6b')),
    scenarios: parseScenarios(part('7'), text),
    adequacy: parseAdequacy(part('7b')),
    residual: parseResidual(part('7c')),
  }
}

function sectionOf({ id, title, heading, blocks }: SectionPart): Section {
  const text = blocks
    .map(textOf)
    .filter((line) => line !== '')
    .join('\n')
  return {
    id,
    at: positionOf(heading),
    title,
    text,
    lines: text === '' ? 0 : text.split('\n').length,
    tables: tablesIn(blocks),
  }
}
