import { scaleLinear } from 'd3-scale'
import type { Element } from 'hast'
import type { Outcome } from '../../../../history/operation.js'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { reading } from '../../words.js'
import type { Bin } from '../history/bins.js'
import type { DrawnHistory } from '../history/drawn-history.js'
import { faultBands, faultLegend, spanOf } from './fault-bands.js'
import { bounds } from './latency.js'
import { lineOver, lineSample } from './lines.js'
import { legendEntry, outcomeMark } from './marks.js'
import { plotOverTime, textTable } from './plot.js'
import { stretch } from './stretches.js'
import type { TimeScale } from './time-scale.js'

const height = 160
const outcomes = ['ok', 'failed', 'unknown'] as const

/** Operations a second over time, by how they ended. */
export function throughputPlot(
  drawn: DrawnHistory,
  faults: readonly FaultWindow[],
  time: TimeScale,
): Element {
  const { bins, end } = drawn
  const most = Math.max(1, ...bins.flatMap((bin) => outcomes.map((outcome) => rateOf(bin, outcome))))
  const scale = scaleLinear([0, most], [height - 6, 10]).nice(4)
  const y = (rate: number) => Math.round(scale(rate) * 10) / 10
  const marks = bins.flatMap((bin) =>
    (['failed', 'unknown'] as const)
      .filter((outcome) => bin[outcome] > 0)
      .map((outcome) =>
        outcomeMark(outcome, { x: time.at((bin.from + bin.to) / 2), y: y(rateOf(bin, outcome)) }),
      ),
  )
  return plotOverTime({
    title: 'Throughput',
    summary: inWords(drawn),
    height,
    time,
    yLabels: scale.ticks(4).map((tick) => ({ y: y(tick), text: `${reading(tick)}/s`, line: true })),
    content: [
      ...faultBands(faults, { time, end, height }),
      ...bins.map((bin) => stretch(bin, { time, height, words: binInWords(bin) })),
      ...outcomes.map((outcome) =>
        lineOver(bins, { end, height, className: outcome, value: (bin) => rateOf(bin, outcome), y }),
      ),
      ...marks,
    ],
    legend: [
      ...outcomes.map((outcome) =>
        legendEntry(
          [lineSample(outcome), ...(outcome === 'ok' ? [] : [outcomeMark(outcome, { x: 13, y: 7 })])],
          `${outcome} a second`,
        ),
      ),
      ...faultLegend(faults),
    ],
    remarks: ['Of all operations: where they were answered, those of unknown outcome where they began.'],
    tableTitle: 'Throughput as a table',
    table: textTable(
      ['Time', 'ok', 'failed', 'unknown', 'ok a second', 'Faults in place'],
      bins.map((bin) => [
        bounds(bin),
        ...outcomes.map((outcome) => reading(bin[outcome])),
        reading(Math.round(rateOf(bin, 'ok'))),
        faults
          .filter((window) => overlaps(window, bin, end))
          .map(({ id, fault }) => `${id} ${fault}`)
          .join(', ') || '-',
      ]),
    ),
  })
}

function overlaps(window: FaultWindow, bin: Bin, end: number): boolean {
  const [from, to] = spanOf(window, end)
  return from < bin.to && to > bin.from
}

/** Operations a second; the last stretch may be a short one. */
function rateOf(bin: Bin, outcome: Outcome): number {
  return bin[outcome] / Math.max(1e-3, (bin.to - bin.from) / 1e9)
}

function inWords({ bins }: DrawnHistory): string {
  const rates = bins.map((bin) => rateOf(bin, 'ok'))
  const silent = bins.filter(({ ok }) => ok === 0).length
  const most = reading(Math.round(Math.max(...rates)))
  const silence = silent === 0 ? '' : `; in ${silent} of ${bins.length} stretches of time none ended ok`
  return `At most ${most} operations a second ended ok${silence}.`
}

function binInWords(bin: Bin): string {
  const told = outcomes.map(
    (outcome) => `${reading(bin[outcome])} ${outcome} (${reading(Math.round(rateOf(bin, outcome)))}/s)`,
  )
  return `${bounds(bin)}: ${told.join(', ')}`
}
