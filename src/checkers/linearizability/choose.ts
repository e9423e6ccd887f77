import { priorityQueueChecker } from './exact/containers/priority-queue.js'
import { queueChecker } from './exact/containers/queue.js'
import { stackChecker } from './exact/containers/stack.js'
import { counterChecker } from './exact/counter/counter.js'
import { semaphoreChecker } from './exact/locks/semaphore.js'
import { logChecker } from './exact/log/log.js'
import { casChains } from './exact/register/cas-chains.js'
import { refuter } from './exact/register/refuter.js'
import { zones } from './exact/register/zones.js'
import { growSetChecker } from './exact/sets/grow-set.js'
import { setElementsChecker } from './exact/sets/set-elements.js'
import type { Decision, ExactChecker, Part } from './part.js'

/** In the order in which those of one type of object are asked. */
export const exactCheckers: readonly ExactChecker[] = [
  zones,
  casChains,
  refuter,
  queueChecker,
  stackChecker,
  priorityQueueChecker,
  counterChecker,
  setElementsChecker,
  growSetChecker,
  logChecker,
  semaphoreChecker,
]

/** What the exact checkers say of a part, and which of them said it last. */
export interface Chosen {
  readonly decision: Decision
  readonly checker: string | null
}

/**
 * Looks at a part and lets the exact checkers of its type of object decide it. `unknown` gives the reasons of all that
 * could not, such as values that are written twice: then the search has to decide.
 */
export function decide(part: Part, checkers: readonly ExactChecker[] = exactCheckers): Chosen {
  const reasons: string[] = []
  for (const checker of checkers) {
    if (checker.object !== part.object) continue
    const decision = checker.decide(part)
    if (decision.valid !== 'unknown') return { decision, checker: checker.name }
    reasons.push(decision.reason)
  }
  if (reasons.length === 0) reasons.push(`no exact checker judges a ${part.object}`)
  return { decision: { valid: 'unknown', reason: [...new Set(reasons)].join('; ') }, checker: null }
}
