import { never, type Part } from '../../part.js'
import type { Elements } from './elements.js'

/** By rank: the element, counted from 1, whose put begins there, or negative, whose put returns; 0 otherwise. */
export function putEvents(part: Part, { count, putInvoke, putComplete }: Elements): Int32Array {
  const events = new Int32Array(part.events)
  for (let element = 0; element < count; element += 1) {
    const begins = putInvoke[element] as number
    const returns = putComplete[element] as number
    if (begins !== never) events[begins] = element + 1
    if (returns !== never) events[returns] = -element - 1
  }
  return events
}
