import { none, type Part, type Violation } from '../../part.js'
import { crossingOf } from './crossing.js'
import type { Elements } from './elements.js'
import { leaveOut } from './leave-out.js'
import { someOf, stackLivesOf } from './stack-lives.js'
import { unpeeled } from './stack-peeling.js'
import { listed, lives as livesOf } from './words.js'

/** Making a counterexample small may cost this many times what finding it did. */
const mostWork = 20
const leastWork = 10_000

/**
 * Elements that were pushed and popped in an order that no stack allows; null when there are none. Two, if two are
 * enough. Elements that no pop returned leave some time from `leavesAt` on.
 */
export function stackDisorder(part: Part, elements: Elements, leavesAt: Int32Array): Violation | null {
  const all = stackLivesOf(part, elements, leavesAt)
  const stuck = unpeeled(all)
  if (stuck.length === 0) return null
  const rest = someOf(all, stuck)
  const crossing = crossingOf(rest)
  if (crossing !== null) {
    const { lower, upper } = crossing
    return crossed(elements, { lower: rest.elements[lower] as number, upper: rest.elements[upper] as number })
  }
  const fewest = leaveOut([...stuck.keys()], {
    holds: (places) => unpeeled(someOf(rest, places)).length > 0,
    work: mostWork * stuck.length + leastWork,
  })
  return tangled(
    elements,
    fewest.map((place) => rest.elements[place] as number),
  )
}

function crossed(elements: Elements, { lower, upper }: { lower: number; upper: number }): Violation {
  const { put, take } = elements
  const pop = take[upper] as number
  return {
    type: 'wrong-order',
    operations: livesOf(elements, [lower, upper]),
    explain: ({ tell, value }) =>
      `${value(upper)} was pushed on top of ${value(lower)}: ${tell(put[lower] as number)} had returned when ${tell(put[upper] as number)} began. ` +
      `Yet ${tell(take[lower] as number)} took ${value(lower)} from below it, ` +
      (pop === none ? `and nothing ever popped ${value(upper)}.` : `before ${tell(pop)} began.`),
  }
}

function tangled(elements: Elements, stuck: readonly number[]): Violation {
  return {
    type: 'wrong-order',
    operations: livesOf(elements, stuck),
    explain: ({ value }) =>
      `No order of the pushes and pops of ${listed(stuck.map((element) => value(element)))} is that of a stack, although any two of them could be.`,
  }
}
