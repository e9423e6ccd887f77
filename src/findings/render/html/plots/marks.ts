import type { Element } from 'hast'
import { h, s } from 'hastscript'
import type { Outcome } from '../../../../history/operation.js'

/** What the plots of a page share: the shapes of outcomes, and the hatching of faults. */
export function definitions(): Element {
  return s('svg.definitions', { width: 0, height: 0, ariaHidden: 'true', focusable: 'false' }, [
    s('defs', [
      s('pattern', { id: 'hatch', width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, [
        s('path', { d: 'M-2 2L2-2M0 8L8 0M6 10L10 6', className: ['hatch-line'] }),
      ]),
      s('circle', { id: 'mark-ok', r: 2.2 }),
      s('path', { id: 'mark-failed', d: 'M-3-3L3 3M-3 3L3-3' }),
      s('path', { id: 'mark-unknown', d: 'M0-3.6L3.6 3L-3.6 3Z' }),
      s('path', { id: 'arrow', d: 'M-7-4L0 0L-7 4Z' }),
    ]),
  ])
}

/** The shape of an outcome at a place: a dot for ok, a cross for failed, an open triangle for unknown. */
export function outcomeMark(
  outcome: Outcome,
  place: { readonly x: number | string; readonly y: number },
): Element {
  return s('use', { href: `#mark-${outcome}`, className: ['mark', outcome], ...place })
}

const meanings: Readonly<Record<Outcome, string>> = {
  ok: 'ok',
  failed: 'failed: certainly did not happen',
  unknown: 'unknown: no answer, may have happened at any later time',
}

/** What the shapes of the outcomes mean, of those that occur; what is ok is a full bar where operations are bars. */
export function outcomeLegend(
  occurs: (outcome: Outcome) => boolean,
  { bars = false }: { readonly bars?: boolean } = {},
): Element[] {
  const bar = s('rect', { className: ['bar', 'ok'], x: 4, y: 3, width: 18, height: 8 })
  return (['ok', 'failed', 'unknown'] as const)
    .filter(occurs)
    .map((outcome) =>
      legendEntry(
        [bars && outcome === 'ok' ? bar : outcomeMark(outcome, { x: 13, y: 7 })],
        meanings[outcome],
      ),
    )
}

/** One line of a legend: a drawing of 26 by 14 and its words. */
export function legendEntry(sample: Element[], words: string): Element {
  return h('li', [
    s('svg', { width: 26, height: 14, ariaHidden: 'true', focusable: 'false' }, sample),
    ` ${words}`,
  ])
}
