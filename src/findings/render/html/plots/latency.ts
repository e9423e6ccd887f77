import { scaleLinear, scaleLog } from 'd3-scale'
import type { Element } from 'hast'
import { s } from 'hastscript'
import { outcomeOf } from '../../../../history/operation.js'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { reading } from '../../words.js'
import type { Bin } from '../history/bins.js'
import type { DrawnHistory } from '../history/drawn-history.js'
import { faultBands, faultLegend } from './fault-bands.js'
import { lineOver, lineSample } from './lines.js'
import { legendEntry, outcomeLegend, outcomeMark } from './marks.js'
import { plotOverTime, textTable } from './plot.js'
import { stretch } from './stretches.js'
import type { TimeScale } from './time-scale.js'

const height = 220
/** Above the scale: operations without an answer. */
const unansweredY = 10
const top = 26
/** Beyond this ratio of the longest to the shortest latency a linear scale would hide the short ones. */
const linearUpTo = 10
/** Times are in nanoseconds; what is quicker than this is drawn here. */
const leastMs = 0.001

const percentiles = ['p50', 'p95', 'p99', 'max'] as const

/** Latencies over time: the operations that are drawn as points, the percentiles of all of them as lines. */
export function latencyPlot(drawn: DrawnHistory, faults: readonly FaultWindow[], time: TimeScale): Element {
  const points = drawn.operations.flatMap(({ operation }, index) => {
    const { invoke_ts: from, complete_ts: to } = operation
    return to === null ? [] : [{ operation, index, at: to, ms: Math.max(leastMs, (to - from) / 1e6) }]
  })
  const unanswered = drawn.operations.flatMap(({ operation }, index) =>
    operation.complete_ts === null ? [{ index, at: operation.invoke_ts }] : [],
  )
  const { y, ticks, isLog } = scaleOf(
    drawn,
    points.map(({ ms }) => ms),
  )
  const lines = percentiles.map((name) =>
    lineOver(drawn.bins, { end: drawn.end, height, className: name, value: (bin) => bin[name], y }),
  )
  return plotOverTime({
    title: 'Latency',
    summary: inWords(drawn),
    height,
    time,
    yLabels: [
      ...ticks.map((tick) => ({ y: y(tick), text: `${reading(tick)} ms`, line: true })),
      ...(unanswered.length === 0 ? [] : [{ y: unansweredY, text: 'no answer', line: false }]),
    ],
    content: [
      ...faultBands(faults, { time, end: drawn.end, height }),
      ...drawn.bins.map((bin) => stretch(bin, { time, height, words: binInWords(bin) })),
      ...points.map(({ operation, index, at, ms }) =>
        s('g', { className: ['op', 'point'], dataO: index }, [
          outcomeMark(outcomeOf(operation), { x: time.at(at), y: y(ms) }),
        ]),
      ),
      ...unanswered.map(({ index, at }) =>
        s('g', { className: ['op', 'point'], dataO: index }, [
          outcomeMark('unknown', { x: time.at(at), y: unansweredY }),
        ]),
      ),
      ...lines,
    ],
    legend: [
      ...percentiles.map((name) => legendEntry([lineSample(name)], `${nameOf(name)} of those ok`)),
      ...outcomeLegend((outcome) => drawn.counts[outcome] > 0),
      ...faultLegend(faults),
    ],
    remarks: [
      `From invocation to answer, drawn at the answer; ${isLog ? 'logarithmic' : 'linear'} scale. Lines are of all operations that ended ok.`,
    ],
    tableTitle: 'Percentiles as a table',
    table: textTable(
      ['Time', 'Ended ok', 'p50', 'p95', 'p99', 'Longest'],
      drawn.bins.map((bin) => [
        bounds(bin),
        reading(bin.ok),
        ...percentiles.map((name) => (bin[name] === null ? '-' : `${inShort(bin[name])} ms`)),
      ]),
    ),
  })
}

function nameOf(percentile: (typeof percentiles)[number]): string {
  return percentile === 'max' ? 'longest' : percentile
}

function scaleOf({ bins }: DrawnHistory, latencies: readonly number[]) {
  const all = [...latencies, ...bins.flatMap(({ p50, max }) => [p50, max])].filter((ms) => ms !== null)
  const shortest = Math.max(
    leastMs,
    all.reduce((least, ms) => Math.min(least, ms), Infinity),
  )
  const longest = Math.max(
    leastMs,
    all.reduce((most, ms) => Math.max(most, ms), 0),
  )
  const range = [height - 4, top]
  if (all.length === 0 || longest / shortest <= linearUpTo) {
    const scale = scaleLinear([0, longest], range).nice(5)
    return { y: (ms: number) => rounded(scale(ms)), ticks: scale.ticks(5), isLog: false }
  }
  const scale = scaleLog([shortest, longest], range).nice()
  const decades = Math.log10(longest / shortest)
  const ticks = scale
    .ticks()
    .filter((tick) => (decades > 2 ? isPower(tick) : /^0*[125]/.test(tick.toPrecision(1).replace('.', ''))))
  return { y: (ms: number) => rounded(scale(Math.max(leastMs, ms))), ticks, isLog: true }
}

function isPower(tick: number): boolean {
  const exponent = Math.log10(tick)
  return Math.abs(exponent - Math.round(exponent)) < 1e-9
}

function rounded(y: number): number {
  return Math.round(y * 10) / 10
}

function inWords({ bins, counts }: DrawnHistory): string {
  const longest = bins.reduce((most, { max }) => Math.max(most, max ?? 0), 0)
  const medians = bins.flatMap(({ p50 }) => p50 ?? []).toSorted((one, other) => one - other)
  const median = medians[medians.length >> 1]
  if (median === undefined) return 'No operation ended ok.'
  return `${reading(counts.ok)} operations ended ok, the longest after ${inShort(longest)} ms; a typical median is ${inShort(median)} ms.`
}

/** `2.0 s to 2.2 s` */
export function bounds({ from, to }: Pick<Bin, 'from' | 'to'>): string {
  return `${(from / 1e9).toFixed(2)} s to ${(to / 1e9).toFixed(2)} s`
}

function binInWords(bin: Bin): string {
  if (bin.p50 === null) return `${bounds(bin)}: none ended ok`
  const told = percentiles.map((name) => `${nameOf(name)} ${inShort(bin[name] ?? 0)} ms`)
  return `${bounds(bin)}: ${told.join(', ')} of ${reading(bin.ok)} that ended ok`
}

function inShort(ms: number): string {
  return reading(Number(ms.toPrecision(3)))
}
