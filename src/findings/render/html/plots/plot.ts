import type { Element, ElementContent } from 'hast'
import { h, s } from 'hastscript'
import { scrollable } from '../blocks.js'
import type { TimeScale } from './time-scale.js'

const axisWidth = 62
const ticksHeight = 22

interface Plot {
  readonly title: string
  /** What one sees in it, for those who do not. */
  readonly summary: string
  /** Without the time axis below. */
  readonly height: number
  readonly time: TimeScale
  readonly yLabels: readonly { readonly y: number; readonly text: string; readonly line: boolean }[]
  readonly content: readonly ElementContent[]
  readonly legend: readonly Element[]
  /** What a reader must know to read it right, such as what was left out. */
  readonly remarks: readonly string[]
  /** The same in words and numbers. */
  readonly table: Element
  /** What the table holds. */
  readonly tableTitle: string
}

/**
 * A plot over the time of a run, as wide as its page; what is in it is placed by per cent. It takes the focus, and its
 * stops (`.stop`) are then told one by one by the page's script. Below it is the same as a table.
 */
export function plotOverTime(plot: Plot): Element {
  const { title, summary, height, time, yLabels, content, legend, remarks, table, tableTitle } = plot
  return h('figure.plot', { 'data-plot': '' }, [
    h('figcaption', [h('strong', title), ' ', h('span', summary)]),
    h('ul.legend', [...legend]),
    h('div.panel', [
      s(
        'svg.axis',
        { width: axisWidth, height: height + ticksHeight, ariaHidden: 'true', focusable: 'false' },
        [...yLabels.map(({ y, text }) => s('text', { x: axisWidth - 6, y: y + 4, textAnchor: 'end' }, text))],
      ),
      h(
        'div.area',
        {
          tabIndex: 0,
          role: 'group',
          ariaRoleDescription: 'plot',
          ariaLabel: `${title}. Left and right arrow keys tell what is in it one by one.`,
        },
        s(
          'svg',
          { width: '100%', height: height + ticksHeight, role: 'img', ariaLabel: `${title}: ${summary}` },
          [
            ...yLabels
              .filter(({ line }) => line)
              .map(({ y }) => s('line.grid', { x1: 0, x2: '100%', y1: y, y2: y })),
            ...time.ticks.flatMap(({ at, label, anchor }) => [
              s('line.grid', { x1: at, x2: at, y1: 0, y2: height }),
              s('text', { x: at, y: height + 16, textAnchor: anchor }, label),
            ]),
            ...content,
          ],
        ),
      ),
    ]),
    ...remarks.map((remark) => h('p.remark', remark)),
    h('details', [h('summary', tableTitle), scrollable(table, tableTitle)]),
  ])
}

/** A table of texts; the first cell of each row names it. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): Element {
  return h('table', [
    h(
      'thead',
      h(
        'tr',
        header.map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    h(
      'tbody',
      rows.map(([first = '', ...cells]) =>
        h('tr', [h('th', { scope: 'row' }, first), ...cells.map((cell) => h('td', cell))]),
      ),
    ),
  ])
}
