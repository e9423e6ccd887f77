import type { Decision, ExactChecker, Part } from '../../part.js'
import { coresOf } from './cores.js'
import { distinctElements, elementsOf } from './elements.js'
import { falseEmpty } from './empty-takes.js'
import { deadlinesOf } from './queue-deadlines.js'
import { falseEmptyDespiteUnknown } from './queue-empty-takes.js'
import { lostElements } from './queue-losses.js'
import { overtaking } from './queue-order.js'
import { violationOf } from './violation-of.js'

/**
 * A first-in-first-out queue with distinct elements. A history is invalid exactly when it has one of the violations of
 * Henzinger, Sezgin and Vafeiadis (Aspect-Oriented Linearizability Proofs, CONCUR 2013): an element from nowhere, twice
 * or too early, two elements in the wrong order, or an empty take while something was there. Takes of unknown outcome
 * turn "never taken" into a count of what must be gone by when. Linear; O(n log n) where empty takes and takes of
 * unknown outcome meet.
 */
export const queueChecker: ExactChecker = {
  name: 'queue-order-and-coverage',
  object: 'queue',
  preconditions: distinctElements,
  decide,
}

function decide(part: Part): Decision {
  const elements = elementsOf(part)
  if ('valid' in elements) return elements
  const wrongOrder = overtaking(part, elements)
  if (wrongOrder !== null) return violationOf(part, wrongOrder)
  if (elements.unknownTakes.length === 0) {
    const empty = falseEmpty(
      part,
      elements,
      coresOf(elements, new Int32Array(elements.count).fill(part.events)),
    )
    return empty === null ? { valid: true } : violationOf(part, empty)
  }
  const deadlines = deadlinesOf(part, elements)
  const violation =
    lostElements(part, elements, deadlines) ?? falseEmptyDespiteUnknown(part, elements, deadlines)
  return violation === null ? { valid: true } : violationOf(part, violation)
}
