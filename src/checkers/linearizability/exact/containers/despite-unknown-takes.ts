import { none, type Decision, type Part, type Violation } from '../../part.js'
import { departuresBy, isUnseen, type Shortage } from './departures.js'
import type { Elements } from './elements.js'
import { violationOf } from './violation-of.js'
import { listed, lives, unknownTakesIn } from './words.js'

/** Each costs as much as judging once. */
const mostRounds = 16

/** How a container is judged when it is known from when on each element that no take returned may have left. */
export interface KnownDepartures {
  /** `leavesAt`, by value id: the rank from which on an element may leave that no take returned. */
  judge(leavesAt: Int32Array): Violation | null
  /**
   * By value id: the rank by which an element that no take returned must have left, where an operation returns that
   * cannot have had its result while the element was there; `never` when it may stay.
   */
  deadlines(): Int32Array
}

/**
 * Decides a container in spite of takes of unknown outcome. Without them, or when nothing is left for them, elements
 * that no take returned stay to the end. Otherwise:
 *
 * - Were it invalid even if all that is left could leave as soon as the first such take begins, it is invalid.
 * - When more elements must have left by some time than such takes had begun, it is invalid.
 * - When it is valid with such takes given to the elements, the earliest to those that must leave first, it is valid.
 *   When not, elements that are in the way are given earlier takes, for some rounds.
 * - Else `unknown`.
 */
export function despiteUnknownTakes(
  part: Part,
  elements: Elements,
  { judge, deadlines }: KnownDepartures,
): Decision {
  const { put, unknownTakes, count } = elements
  const decided = (violation: Violation | null): Decision =>
    violation === null ? { valid: true } : violationOf(part, violation)
  const [first] = unknownTakes.toSorted((x, y) => (part.invoke[x] as number) - (part.invoke[y] as number))
  if (first === undefined || !put.some((_, element) => isUnseen(elements, element))) {
    return decided(judge(new Int32Array(count).fill(part.events)))
  }
  const violation = judge(new Int32Array(count).fill(part.invoke[first] as number))
  if (violation !== null) return violationOf(part, withTake(violation, first))
  const by = deadlines()
  const departures = departuresBy(by, { part, elements })
  if ('short' in departures) return violationOf(part, shortageOf(part, elements, departures))
  let { leavesAt } = departures
  for (let round = 0; round < mostRounds; round += 1) {
    const inTheWay = judge(leavesAt)
    if (inTheWay === null) return { valid: true }
    if (!bringForward(by, { violation: inTheWay, leavesAt, elements, part })) break
    const earlier = departuresBy(by, { part, elements })
    // Deadlines that were only tried say nothing when they cannot be met.
    if ('short' in earlier) break
    leavesAt = earlier.leavesAt
  }
  return {
    valid: 'unknown',
    reason: `${unknownTakesIn(unknownTakes.length)} may have removed elements, and which ones makes a difference`,
  }
}

/**
 * Makes the elements of the violation that no take returned leave before they did. False when there are none.
 */
function bringForward(
  deadlines: Int32Array,
  {
    violation,
    leavesAt,
    elements,
    part,
  }: { violation: Violation; leavesAt: Int32Array; elements: Elements; part: Part },
): boolean {
  const unseen = violation.operations
    .map((operation) => part.a[operation] as number)
    .filter((element) => element !== none && isUnseen(elements, element))
  for (const element of unseen) deadlines[element] = leavesAt[element] as number
  return unseen.length > 0
}

/** The take may have removed something, so it belongs to what cannot be explained. */
function withTake(violation: Violation, take: number): Violation {
  return {
    ...violation,
    operations: [...violation.operations, take],
    explain: (words) =>
      `${violation.explain(words)} Takes of unknown outcome, the first of them ${words.tell(take)}, cannot explain it, whatever they removed.`,
  }
}

function shortageOf(part: Part, elements: Elements, { short, takes, demanding }: Shortage): Violation {
  const puts = demanding.flatMap((operation) => {
    const element = part.a[operation] as number
    return element === none ? [] : [elements.put[element] as number]
  })
  const [last] = demanding.toSorted((x, y) => (part.complete[y] as number) - (part.complete[x] as number))
  return {
    type: 'lost-element',
    operations: [...lives(elements, short), ...demanding, ...puts, ...takes],
    explain: ({ tell, value }) =>
      `${listed(short.map((element) => value(element)))} had to be gone when ${tell(last as number)} returned, and no take returned ${short.length === 1 ? 'it' : 'them'}. ` +
      `Only ${unknownTakesIn(takes.length)} had begun by then.`,
  }
}
