import { never, none, type Part } from '../../part.js'
import type { Elements } from './elements.js'

/** More elements than takes of unknown outcome that could have removed them in time. */
export interface Shortage {
  readonly short: readonly number[]
  /** The takes of unknown outcome that had begun. */
  readonly takes: readonly number[]
  /** The operations that cannot have had their results while the elements were there. */
  readonly demanding: readonly number[]
}

/**
 * Gives each element that no take returned a take of unknown outcome that begins before its deadline, the earliest take
 * to the earliest deadline, and then the rest of them in the order in which they were put: by value id, from which rank
 * on the element may leave (the end when no take is left for it). When there are too few takes for some deadline, the
 * shortage.
 */
export function departuresBy(
  deadlines: Int32Array,
  { part, elements }: { part: Part; elements: Elements },
): { readonly leavesAt: Int32Array } | Shortage {
  const takes = elements.unknownTakes.toSorted(
    (x, y) => (part.invoke[x] as number) - (part.invoke[y] as number),
  )
  const due = [...deadlines.keys()]
    .filter((element) => isUnseen(elements, element))
    .sort(
      (x, y) =>
        (deadlines[x] as number) - (deadlines[y] as number) ||
        (elements.putInvoke[x] as number) - (elements.putInvoke[y] as number),
    )
  const leavesAt = new Int32Array(deadlines.length).fill(part.events)
  for (const [index, element] of due.entries()) {
    const take = takes[index]
    const deadline = deadlines[element] as number
    if (take !== undefined && (part.invoke[take] as number) < deadline) {
      leavesAt[element] = part.invoke[take] as number
      continue
    }
    if (deadline === never) break
    const short = due.slice(0, index + 1)
    const ranks = new Set(short.map((one) => deadlines[one] as number))
    const demanding = [...part.complete.keys()].filter((one) => ranks.has(part.complete[one] as number))
    return { short, takes: takes.slice(0, index), demanding }
  }
  return { leavesAt }
}

/** By rank: where the first of the empty takes returns that begin after it; `never` when none does. */
export function firstEmptyReturnAfter(part: Part, { emptyTakes }: Elements): Int32Array {
  const first = new Int32Array(part.events).fill(never)
  for (const take of emptyTakes) first[part.invoke[take] as number] = part.complete[take] as number
  for (let rank = first.length - 2; rank >= 0; rank -= 1) {
    first[rank] = Math.min(first[rank] as number, first[rank + 1] as number)
  }
  return first
}

/** Elements whose put returned and that no take returned. */
export function isUnseen({ take, putComplete }: Elements, element: number): boolean {
  return take[element] === none && putComplete[element] !== never
}
