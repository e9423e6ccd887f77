import { never, type Part, type Violation } from '../../part.js'
import type { Elements } from './elements.js'
import { unknownTakesBefore, witnessOf, type Deadlines } from './queue-deadlines.js'
import { listed, lives, unknownTakesIn } from './words.js'

/**
 * More elements that had to be gone at some moment than takes of unknown outcome that had begun by then; null when
 * there are never more. By Hall's theorem for nested sets this is exact: removing elements at their deadlines keeps
 * their order, because a deadline is never earlier for what was put later.
 */
export function lostElements(part: Part, elements: Elements, deadlines: Deadlines): Violation | null {
  const { unseen, deadline, takesBegin } = deadlines
  const due = unseen.filter((element) => deadline[element] !== never)
  let begun = 0
  for (const [before, element] of due.entries()) {
    const rank = deadline[element] as number
    while (begun < takesBegin.length && (takesBegin[begun] as number) < rank) begun += 1
    if (before + 1 > begun) return violation(part, elements, { gone: due.slice(0, before + 1), rank })
  }
  return null
}

function violation(
  part: Part,
  elements: Elements,
  { gone, rank }: { gone: readonly number[]; rank: number },
): Violation {
  const witness = witnessOf(elements, rank)
  const unknown = unknownTakesBefore(part, elements, rank)
  const take = elements.take[witness] as number
  return {
    type: 'lost-element',
    operations: [...lives(elements, [...gone, witness]), ...unknown],
    explain: ({ tell, value }) =>
      `${gone.length === 1 ? 'An element' : `${gone.length} elements`} put wholly before ${value(witness)} had to be gone when ${tell(take)} returned it, and no take returned ${gone.length === 1 ? 'it' : 'them'}: ${listed(gone.map((element) => value(element)))}. ` +
      `Only ${unknownTakesIn(unknown.length)} had begun by then.`,
  }
}
