import type { ExactChecker, Part, Violation } from '../../part.js'
import { coresOf } from './cores.js'
import { distinctElements, elementsOf, type Elements } from './elements.js'
import { falseEmpty } from './empty-takes.js'
import { despiteUnknownTakes } from './despite-unknown-takes.js'
import { stackDisorder } from './stack-disorder.js'

/**
 * A stack with distinct elements, by decrease and conquer (Lee and Mathur, Efficient Decrease-and-Conquer
 * Linearizability Monitoring, OOPSLA 2025): at a moment at which nothing is certainly there, the stack may be empty, and
 * what can happen then need not be looked at again. O(n log n).
 */
export const stackChecker: ExactChecker = {
  name: 'stack-peeling',
  object: 'stack',
  preconditions: `${distinctElements}; and where a pop has an unknown outcome, every element is popped for certain, or the answer is the same whether such pops may remove anything or nothing`,
  decide(part) {
    const elements = elementsOf(part)
    if ('valid' in elements) return elements
    return despiteUnknownTakes(part, elements, (leavesAt) => judge(part, elements, leavesAt))
  },
}

/** Elements that no pop returned leave at some time after `leavesAt`. */
function judge(part: Part, elements: Elements, leavesAt: number): Violation | null {
  return (
    falseEmpty(part, elements, coresOf(elements, leavesAt)) ?? stackDisorder(part, elements, leavesAt)
  )
}
