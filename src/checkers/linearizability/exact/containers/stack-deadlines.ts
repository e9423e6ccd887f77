import { never, none, type Part } from '../../part.js'
import { firstEmptyReturnAfter, isUnseen } from './departures.js'
import { EarliestReturn } from './earliest-return.js'
import type { Elements } from './elements.js'
import { putEvents } from './put-events.js'

/**
 * By when an element that no pop returned must have left a stack: before the return of a pop of something below it that
 * begins after its push, and before that of an empty pop that begins after its push. O(n log n).
 */
export function stackDeadlines(part: Part, elements: Elements): Int32Array {
  const { count, take, putComplete, takeInvoke, takeComplete } = elements
  const deadlines = new Int32Array(count).fill(never)
  const emptyReturn = firstEmptyReturnAfter(part, elements)
  const popsOfLower = new EarliestReturn(part.events)
  for (const event of putEvents(part, elements)) {
    const element = Math.abs(event) - 1
    if (event < 0 && take[element] !== none) {
      popsOfLower.add(takeInvoke[element] as number, takeComplete[element] as number)
    } else if (event > 0 && isUnseen(elements, element)) {
      const pushed = putComplete[element] as number
      const pop = popsOfLower.beyond(pushed)
      const first = Math.min(emptyReturn[pushed] as number, pop === part.events ? never : pop)
      deadlines[element] = first
    }
  }
  return deadlines
}
