import type { Element } from 'hast'
import { s } from 'hastscript'
import type { Bin } from '../history/bins.js'
import type { TimeScale } from './time-scale.js'

interface StretchOptions {
  readonly time: TimeScale
  readonly height: number
  readonly words: string
}

/** The place of a stretch of time in a plot, at which its numbers are told. */
export function stretch({ from, to }: Bin, { time, height, words }: StretchOptions): Element {
  return s('rect', {
    className: ['stretch', 'stop'],
    dataSay: words,
    x: time.at(from),
    y: 0,
    width: time.width(from, to),
    height,
  })
}
