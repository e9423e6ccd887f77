import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { SessionRecord } from '../../../session/record.js'
import { reportBlocks } from '../report.js'
import type { ReportContext } from '../report/context.js'
import { violationContext } from '../report/findings.js'
import { htmlOf } from './blocks.js'
import { htmlDocument } from './document.js'
import { definitions } from './plots/marks.js'
import { anchorOf, scenarioSection, type Drawing } from './scenario.js'
import { sectionsOf } from './sections.js'
import { verdictBadge } from './verdict-badge.js'

/** What the page is rendered from besides the session's record. */
export interface PageContext extends ReportContext {
  /** The histories of the runs that are drawn, by the scenario's name. */
  readonly drawings: ReadonlyMap<string, Drawing>
}

/**
 * `findings/report.html`: the whole session as one page that needs nothing else. The first screen is that of `report.md`;
 * then every scenario with its counterexample and its run over time, and the other sections of `report.md`.
 */
export function renderPage(session: SessionRecord, context: PageContext): string {
  const { scenarios } = session
  const { lead, sections } = sectionsOf(reportBlocks(session, context))
  const [, ...header] = lead
  const summary = sections.find(({ title }) => title === 'Summary')
  // Findings are told with their scenarios.
  const others = sections.filter((section) => section !== summary && section.title !== 'Findings')
  return htmlDocument(`${session.verdict}: findings of ${session.slug}`, [
    h('a.skip', { href: '#main' }, 'Skip to the findings'),
    definitions(),
    h('header', [h('h1', `Findings: ${session.slug}`)]),
    h('main', { id: 'main' }, [
      h('h2', { id: 'summary' }, 'Summary'),
      ...htmlOf(summary?.blocks ?? [], { top: 2 }),
      h('details', { open: true }, [
        h('summary', 'What was run, and with what'),
        ...htmlOf(header, { top: 2 }),
      ]),
      contents(
        session,
        others.map(({ title }) => title),
      ),
      ...(scenarios.length === 0 ? [] : [h('h2', { id: 'scenarios' }, 'Scenarios')]),
      ...scenarios.map((record) =>
        scenarioSection(record, {
          drawing: context.drawings.get(record.name) ?? null,
          violation: violationContext(record, context),
        }),
      ),
      ...others.flatMap(({ title, blocks }): ElementContent[] => [
        h('h2', { id: anchor(title) }, title),
        ...htmlOf(blocks, { top: 1 }),
      ]),
      h('div', { id: 'reading', role: 'status' }),
    ]),
  ])
}

function contents({ scenarios }: SessionRecord, titles: readonly string[]): Element {
  return h('nav', { ariaLabel: 'Contents' }, [
    h(
      'ul.scenarios',
      scenarios.map((record) =>
        h('li', [
          verdictBadge(record.ruling.verdict),
          ' ',
          h('a', { href: `#${anchorOf(record)}` }, `${record.id} ${record.name}`),
        ]),
      ),
    ),
    h(
      'ul',
      titles.map((title) => h('li', h('a', { href: `#${anchor(title)}` }, title))),
    ),
  ])
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}
