import type { ExactChecker, Part, Violation } from '../../part.js'
import { coresOf } from './cores.js'
import { distinctElements, elementsOf, type Elements } from './elements.js'
import { falseEmpty } from './empty-takes.js'
import { despiteUnknownTakes } from './despite-unknown-takes.js'
import { stackDeadlines } from './stack-deadlines.js'
import { stackDisorder } from './stack-disorder.js'

/**
 * A stack with distinct elements, by decrease and conquer (Lee and Mathur, Efficient Decrease-and-Conquer
 * Linearizability Monitoring, OOPSLA 2025): at a moment at which nothing is certainly there, the stack may be empty, and
 * what can happen then need not be looked at again. O(n log n).
 */
export const stackChecker: ExactChecker = {
  name: 'stack-peeling',
  object: 'stack',
  preconditions: `${distinctElements}; where a pop of unknown outcome and an element that nothing removed for certain meet, the answer may be unknown`,
  decide(part) {
    const elements = elementsOf(part)
    if ('valid' in elements) return elements
    return despiteUnknownTakes(part, elements, {
      judge: (leavesAt) => judge(part, elements, leavesAt),
      deadlines: () => stackDeadlines(part, elements),
    })
  },
}

/** Elements that no pop returned leave at some time after `leavesAt`. */
function judge(part: Part, elements: Elements, leavesAt: Int32Array): Violation | null {
  return falseEmpty(part, elements, coresOf(elements, leavesAt)) ?? stackDisorder(part, elements, leavesAt)
}
