import { scaleLinear } from 'd3-scale'

const ticksWanted = 8

/** Places on the time axis of a plot, in per cent of its width, so that a plot is as wide as its page. */
export interface TimeScale {
  /** Of a moment in nanoseconds, such as `12.5%`. */
  at(ns: number): string
  /** Of a stretch; never so little that it cannot be seen. */
  width(fromNs: number, toNs: number): string
  readonly ticks: readonly {
    readonly at: string
    readonly label: string
    /** At the edges a label would be cut off. */
    readonly anchor: 'start' | 'middle' | 'end'
  }[]
}

const widthLeast = 0.15
/** So many per cent from the sides a label is not in the middle of its place. */
const edge = 2

/** The time axis of a run that ended so many nanoseconds after its start. */
export function timeScale(endNs: number): TimeScale {
  const seconds = scaleLinear([0, endNs / 1e9], [0, 100])
  const share = (ns: number) => Math.min(100, Math.max(0, seconds(ns / 1e9)))
  const format = seconds.tickFormat(ticksWanted)
  return {
    at: (ns) => percent(share(ns)),
    width: (fromNs, toNs) => percent(Math.max(widthLeast, share(toNs) - share(fromNs))),
    ticks: seconds.ticks(ticksWanted).map((tick) => {
      const place = seconds(tick)
      const anchor = place < edge ? 'start' : place > 100 - edge ? 'end' : 'middle'
      return { at: percent(place), label: `${format(tick)} s`, anchor }
    }),
  }
}

function percent(share: number): string {
  return `${Number(share.toFixed(3))}%`
}
