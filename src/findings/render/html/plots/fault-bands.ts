import type { Element } from 'hast'
import { s } from 'hastscript'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { seconds } from '../../words.js'
import { short } from '../short.js'
import { legendEntry } from './marks.js'
import type { TimeScale } from './time-scale.js'

const rowHeight = 20
/** Windows that overlap share so many rows at most; what is left is drawn over the last one. */
const rowsMost = 6
/** A letter takes about so much of the width of an ordinary page. */
const percentOfLetter = 0.75

interface BandOptions {
  readonly time: TimeScale
  readonly end: number
  readonly height: number
}

/** The windows of faults as hatched bands over the height of a plot, with a plain one from injection to landing. */
export function faultBands(faults: readonly FaultWindow[], { time, end, height }: BandOptions): Element[] {
  const band = (className: string, [from, to]: readonly [number, number]) =>
    s('rect', {
      className: ['band', className],
      x: time.at(from),
      y: 0,
      width: time.width(from, to),
      height,
    })
  return faults.flatMap((window) => {
    const [from, to] = spanOf(window, end)
    const injected = window.injected_ts < from ? [band('injected', [window.injected_ts, from])] : []
    return [...injected, band(window.landed ? 'landed' : 'unproven', [from, to])]
  })
}

/** The windows of faults by name, in as many rows as overlap. */
export function faultStrip(
  faults: readonly FaultWindow[],
  { time, end }: Pick<BandOptions, 'time' | 'end'>,
): { readonly content: Element[]; readonly height: number } {
  const freeFrom: number[] = []
  const placed = faults.map((window) => {
    const [from, to] = spanOf(window, end)
    const free = freeFrom.findIndex((moment) => moment <= from)
    const row = free === -1 ? Math.min(freeFrom.length, rowsMost - 1) : free
    freeFrom[row] = Math.max(freeFrom[row] ?? 0, to)
    return { window, from, to, row }
  })
  const content = placed.map(({ window, from, to, row }) => {
    const share = (100 * (to - from)) / end
    const fits = (text: string) => text.length * percentOfLetter < share
    const name = [`${window.id} ${window.fault}`, window.id].find(fits) ?? ''
    const y = row * rowHeight
    const box = { x: time.at(from), y: y + 1, width: time.width(from, to), height: rowHeight - 4 }
    return s('g', { className: ['fault', 'stop'], dataSay: faultInWords(window) }, [
      s('rect', { className: ['band', 'named', window.landed ? 'landed' : 'unproven'], ...box }),
      // A drawing of its own cuts off what does not fit on a narrow screen.
      s('svg', box, s('text', { x: 4, y: 12 }, name)),
    ])
  })
  return { content, height: freeFrom.length * rowHeight }
}

/** `F1 kill (n1): landed at 1.020 s, healed at 3.000 s` */
export function faultInWords({
  id,
  fault,
  target,
  landed,
  landed_ts,
  injected_ts,
  healed_ts,
  cause,
}: FaultWindow): string {
  const came = landed
    ? `landed at ${seconds(landed_ts)}`
    : `injected at ${seconds(injected_ts)}, not proven to have landed: ${cause ?? 'no cause was recorded'}`
  const went = healed_ts === null ? 'not healed' : `healed at ${seconds(healed_ts)}`
  return `${id} ${fault} (${short(target)}): ${came}, ${went}`
}

/** What the hatching means. */
export function faultLegend(faults: readonly FaultWindow[]): Element[] {
  const entry = (className: string, words: string) =>
    legendEntry(
      [s('rect', { className: ['band', 'named', className], x: 1, y: 1, width: 24, height: 12 })],
      words,
    )
  return [
    ...(faults.some(({ landed }) => landed) ? [entry('landed', 'fault in place')] : []),
    ...(faults.some(({ landed_ts: at, injected_ts: injected }) => at !== null && injected < at)
      ? [entry('injected', 'injected, not yet landed')]
      : []),
    ...(faults.some(({ landed }) => !landed) ? [entry('unproven', 'fault not proven to have landed')] : []),
  ]
}

/** From when to when a fault was in place. */
export function spanOf({ injected_ts, landed_ts, healed_ts }: FaultWindow, end: number): [number, number] {
  return [landed_ts ?? injected_ts, healed_ts ?? end]
}
