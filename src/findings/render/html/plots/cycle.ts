import type { Element } from 'hast'
import { h, s } from 'hastscript'
import type { Anomaly } from '../../../../checkers/checker.js'
import type { Operation } from '../../../../history/operation.js'
import { scrollable } from '../blocks.js'
import { short } from '../short.js'
import { callInWords } from './operations-table.js'

const box = { width: 220, height: 44 }
const nodesMost = 10
const bend = 34

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * A cycle of what must come before what, as a ring of operations: none of them can be first. Null for an anomaly without a
 * cycle, or with one that is too long to draw.
 */
export function cycleDiagram(anomaly: Anomaly, operations: ReadonlyMap<string, Operation>): Element | null {
  const cycle = anomaly.cycle ?? []
  if (cycle.length < 2 || cycle.length > nodesMost) return null
  const radius = {
    x: Math.max(190, cycle.length * 62),
    y: cycle.length === 2 ? 0 : Math.max(110, cycle.length * 36),
  }
  const width = 2 * radius.x + box.width + 20
  const height = 2 * radius.y + box.height + 2 * bend + 40
  const centre = { x: width / 2, y: height / 2 }
  const nodes = cycle.map(({ from }, index) => {
    const angle = (2 * Math.PI * index) / cycle.length - (cycle.length === 2 ? Math.PI : Math.PI / 2)
    return {
      id: String(from),
      x: centre.x + radius.x * Math.cos(angle),
      y: centre.y + radius.y * Math.sin(angle),
    }
  })
  const words = cycle.map(
    ({ from, to, why }, index) =>
      `${index + 1}. ${nameOf(String(from), operations)} before ${nameOf(String(to), operations)}: ${why}`,
  )
  return h('figure.cycle', [
    h('figcaption', [h('strong', 'Cycle'), ` None of these ${cycle.length} operations can be the first.`]),
    scrollable(
      s(
        'svg',
        {
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: 'img',
          ariaLabel: `Cycle: ${words.join('; ')}`,
        },
        [
          ...nodes.flatMap((node, index) =>
            arrow(node, nodes[(index + 1) % nodes.length] as Point, index + 1),
          ),
          ...nodes.flatMap((node) => nodeShapes(node, operations.get(node.id))),
        ],
      ),
      'Cycle of operations',
    ),
    h(
      'ol',
      cycle.map(({ from, to, why }) =>
        h(
          'li',
          `${nameOf(String(from), operations)} before ${nameOf(String(to), operations)}: ${short(why, 400)}`,
        ),
      ),
    ),
  ])
}

function nameOf(id: string, operations: ReadonlyMap<string, Operation>): string {
  const operation = operations.get(id)
  return operation === undefined ? `op ${short(id, 20)}` : `op ${short(id, 20)} ${callInWords(operation, 80)}`
}

function nodeShapes(
  { id, x, y }: Point & { readonly id: string },
  operation: Operation | undefined,
): Element[] {
  const first =
    operation === undefined
      ? `op ${short(id, 20)}`
      : `op ${short(id, 12)}, process ${short(String(operation.process_id), 10)}`
  return [
    s('rect.cycle-node', {
      x: x - box.width / 2,
      y: y - box.height / 2,
      width: box.width,
      height: box.height,
      rx: 6,
    }),
    s('text', { x, y: y - 5, textAnchor: 'middle' }, first),
    ...(operation === undefined
      ? []
      : [s('text.call', { x, y: y + 13, textAnchor: 'middle' }, callInWords(operation, 28))]),
  ]
}

/** A bent arrow from box to box, with its number. */
function arrow(from: Point, to: Point, number: number): Element[] {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  const middle = {
    x: (from.x + to.x) / 2 + (dy / length) * bend,
    y: (from.y + to.y) / 2 - (dx / length) * bend,
  }
  const start = edgeOf(from, middle)
  const end = edgeOf(to, middle)
  const top = { x: (start.x + 2 * middle.x + end.x) / 4, y: (start.y + 2 * middle.y + end.y) / 4 }
  const turn = (Math.atan2(end.y - middle.y, end.x - middle.x) * 180) / Math.PI
  return [
    s('path.cycle-edge', { d: `M${at(start)}Q${at(middle)} ${at(end)}` }),
    s('use.mark-arrow', { href: '#arrow', transform: `translate(${at(end)}) rotate(${turn.toFixed(1)})` }),
    s('circle.cycle-number', { cx: top.x, cy: top.y, r: 10 }),
    s('text', { x: top.x, y: top.y + 4, textAnchor: 'middle' }, String(number)),
  ]
}

/** Where the way from the middle of a box to a point leaves the box. */
function edgeOf(middle: Point, towards: Point): Point {
  const [dx, dy] = [towards.x - middle.x, towards.y - middle.y]
  const share = Math.min(
    (box.width / 2 + 3) / Math.abs(dx || 1e-9),
    (box.height / 2 + 3) / Math.abs(dy || 1e-9),
  )
  return { x: middle.x + dx * share, y: middle.y + dy * share }
}

function at({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}
