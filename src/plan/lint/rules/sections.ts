import type { Plan } from '../../plan.js'
import { sectionIds, sectionTitles, type SectionId } from '../../sections.js'
import { isExplicitNone, isOpenText, type Rule } from '../rule.js'

const longestSummary = 30

const start = { line: 1, column: 1 }

/** Sections whose absence of content is itself a statement, which must be made. */
const mayBeEmpty: readonly SectionId[] = ['1c', '3', '6b', '7c', '8', '9']

export const sectionMissing: Rule = {
  code: 'section-missing',
  asks: 'every section from 0 to 9 is there',
  check: ({ sections }) => {
    if (sections.size === 0) {
      const fix = 'begin with `nemesis plan new`, which writes them all'
      return [{ at: start, reason: 'none of the sections of a plan is there', fix }]
    }
    return sectionIds
      .filter((id) => !sections.has(id))
      .map((id) => ({
        at: start,
        reason: `section ${id} is missing`,
        fix: `add a heading \`## ${id}. ${sectionTitles[id]}\``,
      }))
  },
}

export const sectionEmpty: Rule = {
  code: 'section-empty',
  asks: 'a section that is empty says so: `None.`, with the reason where one is due',
  check: ({ sections }) =>
    [...sections.values()]
      .filter(({ lines }) => lines === 0)
      .map(({ id, at, title }) => ({
        at,
        reason: `section ${id} (${title}) is empty`,
        fix: mayBeEmpty.includes(id) ? 'write `None.` if there is nothing' : 'write what it is about',
      })),
}

export const summaryTooLong: Rule = {
  code: 'summary-too-long',
  asks: `the architectural summary has at most ${longestSummary} lines`,
  check: ({ sections }) => {
    const summary = sections.get('0')
    if (summary === undefined || summary.lines <= longestSummary) return []
    const reason = `the architectural summary has ${summary.lines} lines`
    return [
      { at: summary.at, reason, fix: `cut it to ${longestSummary}: what a reviewer must know to read on` },
    ]
  },
}

/** What section 2 is about, each with the words by which it is told. */
const aspects: Readonly<Record<string, RegExp>> = {
  tenancy: /\btenan(?:t|ts|cy)\b/i,
  persistence: /\bpersist\w*|\bstor(?:e[sd]?|age|ing)\b|\bdisks?\b|\bin[- ]memory\b/i,
  'replication or consensus': /\breplica\w*|\bconsensus\b|\bquorum\b|\bsingle (?:node|server|process)\b/i,
  ordering: /\border(?:s|ed|ing)?\b/i,
  'network boundaries': /\bnetworks?\b/i,
  'the retry and idempotency contract': /\bretr(?:y|ies|ied|ying)\b|\bidempoten\w+/i,
  observability: /\bobserv\w+|\bmetrics?\b|\blogs?\b|\btraces?\b/i,
}

export const systemModelIncomplete: Rule = {
  code: 'system-model-incomplete',
  asks: `section 2 speaks of ${Object.keys(aspects).join(', ')}`,
  check: ({ sections }) => {
    const section = sections.get('2')
    if (section === undefined || section.lines === 0 || isOpenText(section.text)) return []
    const lacks = Object.keys(aspects).filter((aspect) => aspects[aspect]?.test(section.text) !== true)
    if (lacks.length === 0) return []
    const reason = `section 2 says nothing of ${lacks.join(', ')}`
    return [{ at: section.at, reason, fix: 'add a line for each; `none` and why, where there is nothing' }]
  },
}

export const inventoryMissing: Rule = {
  code: 'inventory-missing',
  asks: 'a project-wide plan lists the existing tests, or says that there are none',
  check: ({ mode, sections }) => {
    const section = sections.get('3')
    if (mode?.text.toLowerCase().startsWith('project-wide') !== true) return []
    if (section === undefined || section.lines === 0 || isOpenText(section.text)) return []
    const says = isExplicitNone(section.text) || /\b(?:no|without) (?:\w+ )?tests?\b/i.test(section.text)
    if (section.tables.length > 0 || says || section.lists) return []
    const fix = 'add a table `| Framework | File | Name | Subsystem |`, or write `None.`'
    return [{ at: section.at, reason: 'section 3 lists no test', fix }]
  },
}

const modes = ['change-scoped', 'project-wide']

export const modeUnknown: Rule = {
  code: 'mode-unknown',
  asks: 'the header says `Mode: change-scoped` or `Mode: project-wide`',
  check: ({ mode, title }) => {
    if (mode !== null && modes.some((known) => mode.text.toLowerCase().startsWith(known))) return []
    const found = mode === null ? 'no mode' : `the mode "${mode.text}"`
    return [
      {
        at: mode?.at ?? title?.at ?? start,
        reason: `the header has ${found}`,
        fix: 'write `- **Mode:** project-wide`, or `change-scoped` with the revisions as `- **Change:** A..B`',
      },
    ]
  },
}

export const changeUndescribed: Rule = {
  code: 'change-undescribed',
  asks: 'a change-scoped plan names the change, the files it touches and its blast radius',
  check: (plan) => {
    if (plan.mode?.text.toLowerCase().startsWith('change-scoped') !== true) return []
    const lacks = [
      ...(plan.change === null ? ['the revisions (`Change:` in the header)'] : []),
      ...missingOfScope(plan),
    ]
    if (lacks.length === 0) return []
    const at = plan.sections.get('1')?.at ?? plan.mode.at
    return [
      { at, reason: `it does not name ${lacks.join(', ')}`, fix: 'say what the change touches in section 1' },
    ]
  },
}

function missingOfScope({ sections }: Plan): string[] {
  const scope = sections.get('1')?.text ?? ''
  return [
    ...(/\bfiles?\b/i.test(scope) ? [] : ['the files touched']),
    ...(/\bblast radius\b/i.test(scope) ? [] : ['the blast radius']),
  ]
}
