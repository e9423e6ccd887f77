import type { Element } from 'hast'
import { s } from 'hastscript'
import { outcomeOf } from '../../../../history/operation.js'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { count, reading } from '../../words.js'
import type { DrawnHistory, DrawnOperation } from '../history/drawn-history.js'
import type { Lane } from '../history/lanes.js'
import { sampleInWords } from '../history/sample.js'
import { short } from '../short.js'
import { faultBands, faultLegend, faultStrip } from './fault-bands.js'
import { legendEntry, outcomeLegend, outcomeMark } from './marks.js'
import { drawnOperationsTable } from './operations-table.js'
import { plotOverTime } from './plot.js'
import type { TimeScale } from './time-scale.js'

const laneHeight = 16
const barHeight = 8
const lanesMost = 48

/** Every process as a row, its operations as bars from invocation to answer, under the faults that were in place. */
export function timeline(drawn: DrawnHistory, faults: readonly FaultWindow[], time: TimeScale): Element {
  const rows = rowsOf(drawn)
  const strip = faultStrip(faults, { time, end: drawn.end })
  const height = strip.height + rows.size * laneHeight + 4
  const yOf = (row: number) => strip.height + 2 + row * laneHeight + laneHeight / 2
  const total = drawn.counts.ok + drawn.counts.failed + drawn.counts.unknown
  const left = drawn.lanes.length - rows.size
  const bars = drawn.operations.flatMap((one, index) => {
    const row = rows.get(one.lane)
    return row === undefined ? [] : [bar(one, { index, y: yOf(row), time, end: drawn.end })]
  })
  return plotOverTime({
    title: 'Operations of each process',
    summary: `${outcomesInWords(drawn)}, of ${processesInWords(drawn)}, under ${count(faults.length, 'fault')}.`,
    height,
    time,
    yLabels: [...rows].map(([lane, row]) => ({
      y: yOf(row),
      text: laneName(drawn.lanes[lane]!),
      line: true,
    })),
    content: [...faultBands(faults, { time, end: drawn.end, height }), ...strip.content, ...bars],
    legend: [
      ...outcomeLegend((outcome) => drawn.counts[outcome] > 0, { bars: true }),
      ...(drawn.operations.some(({ isCore }) => isCore)
        ? [legendEntry([s('rect.halo', { x: 3, y: 2, width: 20, height: 10 })], 'of the counterexample')]
        : []),
      ...faultLegend(faults),
    ],
    remarks: [
      ...thinning(drawn, total),
      ...(drawn.lanes.some((lane) => lane.count > 1)
        ? [
            'A process is retired after an operation of unknown outcome; the one that began next goes on in its row.',
          ]
        : []),
      ...(left > 0 ? [`${count(left, 'more row')} not drawn here; the plots below have them.`] : []),
    ],
    tableTitle: `The ${reading(drawn.operations.length)} operations that are drawn, as a table`,
    table: drawnOperationsTable(drawn.operations),
  })
}

/** `900 ok, 9 failed, 31 unknown` */
function outcomesInWords({ counts }: Pick<DrawnHistory, 'counts'>): string {
  return `${reading(counts.ok)} ok, ${reading(counts.failed)} failed, ${reading(counts.unknown)} unknown`
}

function processesInWords({ lanes }: DrawnHistory): string {
  const processes = lanes.reduce((sum, lane) => sum + lane.count, 0)
  return `${reading(processes)} ${processes === 1 ? 'process' : 'processes'}`
}

function thinning({ operations, thinned }: DrawnHistory, total: number): string[] {
  const kept = sampleInWords(
    thinned,
    operations.some(({ isCore }) => isCore),
  )
  if (kept === null) return []
  return [
    `${reading(operations.length)} of ${reading(total)} operations are drawn: ${kept}. Throughput and percentiles are of all of them.`,
  ]
}

/** The row of each lane that is drawn: those with the counterexample first of all, else the first ones. */
function rowsOf({ lanes, operations }: DrawnHistory): Map<number, number> {
  const core = new Set(operations.filter(({ isCore }) => isCore).map(({ lane }) => lane))
  const all = lanes.map((_, lane) => lane)
  const chosen = [...core, ...all.filter((lane) => !core.has(lane))].slice(0, lanesMost)
  return new Map(chosen.toSorted((one, other) => one - other).map((lane, row) => [lane, row]))
}

function laneName({ processes, count: all }: Lane): string {
  const first = short(String(processes[0]), 8)
  return all === 1 ? first : `${first} +${all - 1}`
}

interface BarOptions {
  readonly index: number
  readonly y: number
  readonly time: TimeScale
  readonly end: number
}

/** A filled bar with an answer; a bar that ends in a cross for what failed; an open one without end for what is unknown. */
function bar({ operation, isCore }: DrawnOperation, { index, y, time, end }: BarOptions): Element {
  const outcome = outcomeOf(operation)
  const from = operation.invoke_ts
  const to = operation.complete_ts ?? Math.min(end, from + end / 200)
  const box = { x: time.at(from), width: time.width(from, to) }
  return s('g', { className: ['stop', 'op'], dataO: index }, [
    ...(isCore ? [s('rect.halo', { ...box, y: y - 7, height: 14 })] : []),
    s('rect', { className: ['bar', outcome], ...box, y: y - barHeight / 2, height: barHeight }),
    ...(outcome === 'ok' ? [] : [outcomeMark(outcome, { x: time.at(outcome === 'failed' ? to : from), y })]),
  ])
}
