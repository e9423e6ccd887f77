import { none, type Part, type Violation } from '../../part.js'
import type { Elements } from './elements.js'
import { putEvents } from './put-events.js'

/**
 * An element that was put wholly before another, which was taken wholly before it was; null when there is none. Where
 * every take's outcome is known, an element that no take returned is taken after all others. One sweep over the events.
 */
export function overtaking(part: Part, elements: Elements): Violation | null {
  const { take, takeInvoke, takeComplete } = elements
  const everyTakeIsKnown = elements.unknownTakes.length === 0
  const events = putEvents(part, elements)
  // Of the elements whose put has returned: the one that was taken last.
  let last = none
  let lastTaken = -1
  for (const event of events) {
    if (event < 0) {
      const element = -event - 1
      if (take[element] === none && !everyTakeIsKnown) continue
      if ((takeInvoke[element] as number) <= lastTaken) continue
      last = element
      lastTaken = takeInvoke[element] as number
    } else if (event > 0) {
      const element = event - 1
      if (take[element] !== none && (takeComplete[element] as number) < lastTaken) {
        return violation(elements, { first: last, second: element })
      }
    }
  }
  return null
}

function violation({ put, take }: Elements, { first, second }: { first: number; second: number }): Violation {
  const [putFirst, takeFirst] = [put[first] as number, take[first] as number]
  const [putSecond, takeSecond] = [put[second] as number, take[second] as number]
  const taken = takeFirst !== none
  return {
    type: taken ? 'wrong-order' : 'lost-element',
    operations: [putFirst, putSecond, takeSecond, ...(taken ? [takeFirst] : [])],
    explain: ({ tell, value }) =>
      `${value(first)} went in before ${value(second)}: ${tell(putFirst)} had returned when ${tell(putSecond)} began. ` +
      (taken
        ? `It came out after it: ${tell(takeSecond)} had returned when ${tell(takeFirst)} began.`
        : `${tell(takeSecond)} took ${value(second)}, and nothing ever took ${value(first)}.`),
  }
}
