import type { Element } from 'hast'
import { h, s } from 'hastscript'
import { outcomeOf, type Operation } from '../../../../history/operation.js'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { count, seconds } from '../../words.js'
import { scrollable } from '../blocks.js'
import { short } from '../short.js'
import { faultLegend } from './fault-bands.js'
import { outcomeLegend, outcomeMark } from './marks.js'
import { callInWords } from './operations-table.js'

const operationsMost = 16
const left = 120
/** From one moment to the next: narrower when there are many, so that few need to be scrolled. */
const stepMost = 120
const stepLeast = 84
const widthWanted = 960
const margin = 60
const top = 34
const laneHeight = 46
const letterWidth = 7

/**
 * A few operations as a space-time diagram: a line for each process with its operations, a line for each node that
 * answered, and between them where each answer came from. Moments keep their order and are equally far apart.
 */
export function spaceTime(operations: readonly Operation[], faults: readonly FaultWindow[]): Element {
  const drawn = operations.toSorted((one, other) => one.invoke_ts - other.invoke_ts).slice(0, operationsMost)
  const moments = [
    ...new Set(drawn.flatMap(({ invoke_ts, complete_ts }) => [invoke_ts, complete_ts ?? invoke_ts])),
  ].toSorted((one, other) => one - other)
  const step = Math.max(stepLeast, Math.min(stepMost, Math.floor(widthWanted / Math.max(1, moments.length))))
  const placeOf = new Map(moments.map((moment, index) => [moment, left + margin / 2 + index * step]))
  const right = left + margin / 2 + (moments.length - 1) * step + margin * 2
  const processes = [...new Set(drawn.map(({ process_id }) => process_id))]
  const nodes = [...new Set(drawn.flatMap(({ node_seen }) => node_seen ?? []))].toSorted()
  const lanes = [
    ...processes.map((process) => `process ${short(String(process), 8)}`),
    ...nodes.map((node) => `node ${short(node, 10)}`),
  ]
  const yOf = (lane: number) => top + laneHeight * lane + 30
  const height = yOf(lanes.length - 1) + 44
  const over = faults.filter((window) => meets(window, moments))
  const x = (moment: number) => placeOf.get(moment) as number
  const undrawn = operations.length - drawn.length
  return h('figure.space-time', [
    h('figcaption', [
      h('strong', 'Space-time diagram'),
      ` ${count(drawn.length, 'operation')} in order of time, which is not to scale; dotted lines lead to the node that answered.`,
      undrawn > 0 ? ` ${count(undrawn, 'more operation')} not drawn.` : '',
    ]),
    h('ul.legend', [
      ...outcomeLegend((outcome) => drawn.some((operation) => outcomeOf(operation) === outcome), {
        bars: true,
      }),
      ...faultLegend(over),
    ]),
    scrollable(
      s(
        'svg',
        {
          width: right,
          height,
          viewBox: `0 0 ${right} ${height}`,
          role: 'img',
          ariaLabel: inWords(drawn, over),
        },
        [
          ...over.flatMap((window) => band(window, { moments, x, right, height })),
          ...moments.flatMap((moment) => [
            s('line.grid', { x1: x(moment), x2: x(moment), y1: top, y2: height - 24 }),
            s('text.small', { x: x(moment), y: height - 8, textAnchor: 'middle' }, seconds(moment)),
          ]),
          ...lanes.flatMap((name, lane) => [
            s('line', {
              className: ['lane', lane < processes.length ? 'process' : 'node'],
              x1: left,
              x2: right,
              y1: yOf(lane),
              y2: yOf(lane),
            }),
            s('text', { x: left - 8, y: yOf(lane) + 4, textAnchor: 'end' }, name),
          ]),
          ...drawn.flatMap((operation) => {
            const y = yOf(processes.indexOf(operation.process_id))
            const next = drawn.find(
              (other) => other.process_id === operation.process_id && other.invoke_ts > operation.invoke_ts,
            )
            const node =
              operation.node_seen === null ? null : yOf(processes.length + nodes.indexOf(operation.node_seen))
            return operationShapes(operation, {
              x,
              y,
              right,
              room: (next === undefined ? right : x(next.invoke_ts)) - x(operation.invoke_ts),
              node,
            })
          }),
        ],
      ),
      'Space-time diagram of the counterexample',
    ),
  ])
}

interface Placed {
  x(moment: number): number
  readonly y: number
  readonly right: number
  /** Pixels up to the next operation of the process. */
  readonly room: number
  /** Where the line of the node is that answered; null when none did. */
  readonly node: number | null
}

function operationShapes(operation: Operation, { x, y, right, room, node }: Placed): Element[] {
  const outcome = outcomeOf(operation)
  const from = x(operation.invoke_ts)
  const to = operation.complete_ts === null ? right - 10 : x(operation.complete_ts)
  const words = `${short(String(operation.op_id), 8)}: ${callInWords(operation, 80)}`
  return [
    ...(node === null || operation.complete_ts === null
      ? []
      : [
          s('line.answer', { x1: to, x2: to, y1: y, y2: node }),
          s('circle.node-dot', { cx: to, cy: node, r: 4 }),
        ]),
    s('rect', { className: ['bar', outcome], x: from, y: y - 6, width: Math.max(3, to - from), height: 12 }),
    ...(outcome === 'failed' ? [outcomeMark('failed', { x: to, y })] : []),
    ...(outcome === 'unknown'
      ? [
          outcomeMark('unknown', { x: from, y }),
          s('use', { href: '#arrow', className: ['mark-arrow'], x: right - 4, y }),
        ]
      : []),
    s('text.call', { x: from, y: y - 11 }, [
      short(words, Math.max(4, Math.floor(room / letterWidth))),
      s('title', words),
    ]),
  ]
}

function meets({ injected_ts, healed_ts }: FaultWindow, moments: readonly number[]): boolean {
  const [first = 0, last = 0] = [moments[0], moments.at(-1)]
  return injected_ts <= last && (healed_ts ?? Infinity) >= first
}

interface BandOptions {
  readonly moments: readonly number[]
  x(moment: number): number
  readonly right: number
  readonly height: number
}

function band(window: FaultWindow, { moments, x, right, height }: BandOptions): Element[] {
  const place = (moment: number) => {
    const after = moments.findIndex((one) => one > moment)
    if (after === -1) return right
    if (after === 0) return left
    const [before, next] = [moments[after - 1] as number, moments[after] as number]
    return x(before) + ((x(next) - x(before)) * (moment - before)) / (next - before)
  }
  const [injected, landed] = [window.injected_ts, window.landed_ts ?? window.injected_ts].map(place) as [
    number,
    number,
  ]
  const to = window.healed_ts === null ? right : place(window.healed_ts)
  const shape = (className: string, x: number, width: number) =>
    s('rect', { className: ['band', className], x, y: 18, width: Math.max(2, width), height: height - 42 })
  return [
    ...(injected < landed ? [shape('injected', injected, landed - injected)] : []),
    ...(landed < right ? [shape(window.landed ? 'landed' : 'unproven', landed, to - landed)] : []),
    s(
      'text.small',
      { x: injected + 4, y: 13 },
      short(`${window.id} ${window.fault}`, Math.max(4, Math.floor((right - injected) / letterWidth))),
    ),
  ]
}

function inWords(drawn: readonly Operation[], faults: readonly FaultWindow[]): string {
  const under =
    faults.length === 0
      ? ''
      : `, while ${faults.map(({ id, fault }) => `${id} ${fault}`).join(', ')} was in place`
  const told = drawn.map(
    (operation) =>
      `process ${short(String(operation.process_id), 20)}: ${callInWords(operation)}${operation.node_seen === null ? '' : `, answered by ${short(operation.node_seen, 20)}`}`,
  )
  return `In order of invocation${under}: ${told.join('; ')}`
}
