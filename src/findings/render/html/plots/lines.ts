import type { Element } from 'hast'
import { s } from 'hastscript'
import type { Bin } from '../history/bins.js'

const units = 1_000

interface LineOptions {
  readonly end: number
  readonly height: number
  readonly className: string
  /** Null where there is nothing: the line is interrupted. */
  value(bin: Bin): number | null
  y(value: number): number
}

/**
 * A value of every stretch as a line of steps. In a drawing of its own that is stretched to the width of the plot, as
 * paths know no per cent.
 */
export function lineOver(bins: readonly Bin[], { end, height, className, value, y }: LineOptions): Element {
  let path = ''
  let drawing = false
  for (const bin of bins) {
    const of = value(bin)
    if (of !== null) {
      const [from, to] = [bin.from, bin.to].map((moment) => Number(((units * moment) / end).toFixed(1)))
      path += `${drawing ? 'L' : 'M'}${from} ${y(of)}H${to}`
    }
    drawing = of !== null
  }
  return s(
    'svg',
    {
      width: '100%',
      height,
      viewBox: `0 0 ${units} ${height}`,
      preserveAspectRatio: 'none',
      className: ['lines'],
    },
    path === ''
      ? []
      : [s('path', { className: ['line', className], d: path, vectorEffect: 'non-scaling-stroke' })],
  )
}

/** How a line looks, for a legend. */
export function lineSample(className: string): Element {
  return s('line', { className: ['line', className], x1: 1, x2: 25, y1: 7, y2: 7 })
}
