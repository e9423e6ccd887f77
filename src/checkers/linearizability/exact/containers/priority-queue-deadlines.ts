import { never, none, type Part } from '../../part.js'
import { firstEmptyReturnAfter, isUnseen } from './departures.js'
import { EarliestReturn } from './earliest-return.js'
import type { Elements } from './elements.js'
import { pollWindow, type levelsOf } from './priority-levels.js'

/**
 * By when an element that no poll returned must have left a priority queue: before the return of a poll of a lower
 * priority that can only have happened after its insertion, and before that of an empty poll that begins after its
 * insertion. O(n log n).
 */
export function priorityQueueDeadlines(
  part: Part,
  elements: Elements,
  levels: ReturnType<typeof levelsOf>,
): Int32Array {
  const { count, take, putComplete } = elements
  const deadlines = new Int32Array(count).fill(never)
  const emptyReturn = firstEmptyReturnAfter(part, elements)
  const pollsOfLower = new EarliestReturn(part.events)
  for (const { elements: equals } of levels.toReversed()) {
    for (const element of equals) {
      if (!isUnseen(elements, element)) continue
      const inserted = putComplete[element] as number
      const poll = pollsOfLower.beyond(inserted)
      deadlines[element] = Math.min(emptyReturn[inserted] as number, poll === part.events ? never : poll)
    }
    for (const element of equals) {
      if (take[element] === none) continue
      const { start, end } = pollWindow(elements, element)
      pollsOfLower.add(start, end)
    }
  }
  return deadlines
}
