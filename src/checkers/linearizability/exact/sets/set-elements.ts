import { type Decision, type ExactChecker, type Part, type Violation } from '../../part.js'
import { inOrder } from '../in-order.js'
import { judgeBlind } from './blind.js'
import { eventsByElement } from './by-element.js'
import { narrow } from './narrow.js'
import { isBlind, Toggles } from './toggles.js'

/**
 * Sets whose elements are added, removed and looked up one at a time; each element is an object of its own. Where adds
 * and removes answer whether they changed the set, each element is a switch, thrown lazily; where they do not, closed
 * forms decide an element that is only added, only removed, or both once. Exact, also with unknown outcomes.
 * O(n log n).
 */
export const setElementsChecker: ExactChecker = {
  name: 'set elements',
  object: 'set',
  preconditions:
    'adds and removes answer whether they changed the set, or no element is both added and removed more than once',
  decide(part) {
    const { events, starts } = eventsByElement(part)
    const toggles = new Toggles(part)
    let unclear = false
    for (let element = 0; element < part.values; element += 1) {
      const own = events.subarray(starts[element], starts[element + 1])
      const verdict = hasBlind(part, own) ? judgeBlind(part, operationsOf(own)) : judge(part, own, toggles)
      if (verdict === 'unclear') unclear = true
      else if (verdict !== 'possible') return invalid(part, { element, operations: verdict })
    }
    if (!unclear) return { valid: true }
    return {
      valid: 'unknown',
      reason: 'an element is added and removed repeatedly, without answers that say whether the set changed',
    }
  },
}

function hasBlind(part: Part, events: Int32Array): boolean {
  for (const event of events) if (event > 0 && isBlind(part, event - 1)) return true
  return false
}

function operationsOf(events: Int32Array): number[] {
  const operations: number[] = []
  for (const event of events) if (event > 0) operations.push(event - 1)
  return operations
}

function judge(part: Part, events: Int32Array, toggles: Toggles): 'possible' | readonly number[] {
  const failure = toggles.firstFailure(events)
  return failure < 0 ? 'possible' : narrow(part, { events: events.subarray(0, failure + 1), toggles })
}

function invalid(
  part: Part,
  { element, operations }: { element: number; operations: readonly number[] },
): Decision {
  const involved = inOrder(part, operations)
  const violation: Violation = {
    type: involved.length === 1 ? 'phantom-element' : 'impossible-membership',
    operations: involved,
    explain: ({ tell, value }) =>
      `${value(element)} is at first not in the set, and can only be in it or not: ${involved.map(tell).join('; ')} cannot all be so in any order that real time allows.`,
  }
  return { valid: false, violation }
}
