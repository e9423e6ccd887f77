import { never, none, type Decision, type Part, type Violation } from '../../part.js'
import type { Elements } from './elements.js'
import { violationOf } from './violation-of.js'

/**
 * Decides a container by a judge that knows no takes of unknown outcome: elements that no take returned leave at some
 * time after a rank, all at once if they like.
 *
 * Without takes of unknown outcome, or when nothing is left for them, that rank is the end. Otherwise two questions are
 * put. Were it invalid even if all that is left could leave as soon as the first such take begins, it is invalid: more
 * is allowed then than really is. Were it valid if none of them had an effect, it is valid. Else `unknown`.
 */
export function despiteUnknownTakes(
  part: Part,
  elements: Elements,
  judge: (leavesAt: number) => Violation | null,
): Decision {
  const { put, take, putComplete, unknownTakes } = elements
  const decided = (violation: Violation | null): Decision =>
    violation === null ? { valid: true } : violationOf(part, violation)
  const isLeft = (element: number) => take[element] === none && putComplete[element] !== never
  const left = unknownTakes.length > 0 && put.some((_, element) => isLeft(element))
  if (!left) return decided(judge(part.events))

  const [first] = unknownTakes.toSorted((x, y) => (part.invoke[x] as number) - (part.invoke[y] as number))
  if (first === undefined) throw new Error('there are takes of unknown outcome')
  const violation = judge(part.invoke[first] as number)
  if (violation !== null) return violationOf(part, withTake(violation, first))
  if (judge(part.events) === null) return { valid: true }
  return {
    valid: 'unknown',
    reason: `${unknownTakes.length} takes of unknown outcome may have removed elements, and which ones makes a difference`,
  }
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
