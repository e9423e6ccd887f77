import { none, type ExactChecker, type Part, type Violation } from '../../part.js'
import { coresOf, coveringChain, type Cores } from './cores.js'
import { despiteUnknownTakes } from './despite-unknown-takes.js'
import { distinctElements, elementsOf, type Elements } from './elements.js'
import { falseEmpty } from './empty-takes.js'
import { levelsOf, pollWindow } from './priority-levels.js'
import { priorityQueueDeadlines } from './priority-queue-deadlines.js'
import { RangeTree } from './range-tree.js'
import { lives, thereAllAlong } from './words.js'

/**
 * A priority queue with distinct elements, of which those of equal priority may come in any order. An element can be
 * polled in a gap in which none of a higher priority is certainly there, and each poll needs such a gap. O(n log n):
 * elements are looked at by priority, the highest first.
 */
export const priorityQueueChecker: ExactChecker = {
  name: 'priority-coverage',
  object: 'priority-queue',
  preconditions: `${distinctElements}; where a poll of unknown outcome and an element that nothing removed for certain meet, the answer may be unknown`,
  decide(part) {
    const elements = elementsOf(part)
    if ('valid' in elements) return elements
    const levels = levelsOf(part, elements)
    return despiteUnknownTakes(part, elements, {
      judge(leavesAt) {
        const cores = coresOf(elements, leavesAt)
        return overlooked(part, elements, levels, cores) ?? falseEmpty(part, elements, cores)
      },
      deadlines: () => priorityQueueDeadlines(part, elements, levels),
    })
  },
}

type Levels = ReturnType<typeof levelsOf>

/** A poll during which an element of a higher priority was always there; null when there is none. */
function overlooked(part: Part, elements: Elements, levels: Levels, cores: Cores): Violation | null {
  const { put, take } = elements
  const there = new RangeTree(new Int32Array(part.events))
  for (const { priority, elements: equals } of levels) {
    // All of one priority are polled before any of them is in the way.
    for (const element of equals) {
      if (take[element] === none) continue
      const window = pollWindow(elements, element)
      if (there.leastOf(window.start, window.end) === 0) continue
      const isHigher = (other: number) => (part.b[put[other] as number] as number) > priority
      return violation(elements, {
        element,
        above: coveringChain(cores, { ...window, accepts: isHigher }),
      })
    }
    for (const element of equals) there.add(cores.from[element] as number, cores.to[element] as number, 1)
  }
  return null
}

function violation(
  elements: Elements,
  { element, above }: { element: number; above: readonly number[] },
): Violation {
  const take = elements.take[element] as number
  return {
    type: 'wrong-order',
    operations: lives(elements, [element, ...above]),
    explain: ({ tell, value }) =>
      `${tell(take)} returned ${value(element)}, although ${thereAllAlong(above.map((other) => value(other)))}, with a higher priority.`,
  }
}
