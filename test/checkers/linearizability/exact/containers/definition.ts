import { containerKind, never, none, type Part } from '../../../../../src/checkers/linearizability/part.js'

/** Elements, oldest first; of a priority queue by id. */
type State = readonly number[]

/**
 * Linearizability of a small part of a container by its definition: tries every order of every choice of unanswered
 * operations. Shares nothing with the checkers that it is to judge.
 */
export function isLinearizable(part: Part): boolean {
  const operations = [...part.kind.keys()]
  const priority = new Map(
    operations
      .filter((operation) => part.kind[operation] === containerKind.put)
      .map((operation) => [part.a[operation] as number, part.b[operation] as number]),
  )
  const failed = new Set<string>()

  // Operations that were placed are the bits of `done`.
  const place = (done: number, state: State): boolean => {
    const left = operations.filter((operation) => (done & (1 << operation)) === 0)
    if (left.every((operation) => part.complete[operation] === never)) return true
    const configuration = `${done}|${state.join()}`
    if (failed.has(configuration)) return false
    const firstReturn = Math.min(...left.map((operation) => part.complete[operation] as number))
    const found = left
      .filter((operation) => (part.invoke[operation] as number) < firstReturn)
      .some((operation) =>
        after(part, { operation, state, priority }).some((next) => place(done | (1 << operation), next)),
      )
    if (!found) failed.add(configuration)
    return found
  }
  return place(0, [])
}

/** The states that the operation can leave; none when it cannot have had its result. */
function after(
  part: Part,
  { operation, state, priority }: { operation: number; state: State; priority: ReadonlyMap<number, number> },
): State[] {
  const element = part.a[operation] as number
  if (part.kind[operation] === containerKind.put) {
    const more = [...state, element]
    // Of a priority queue the order of arrival does not matter.
    return [part.object === 'priority-queue' ? more.toSorted((x, y) => x - y) : more]
  }
  const unknown = part.complete[operation] === never
  if (!unknown && element === none) return state.length === 0 ? [state] : []
  return state.flatMap((candidate, index) => {
    if (!isNext(part, { state, index, priority }) || (!unknown && candidate !== element)) return []
    return [state.filter((_, at) => at !== index)]
  })
}

function isNext(
  part: Part,
  { state, index, priority }: { state: State; index: number; priority: ReadonlyMap<number, number> },
): boolean {
  if (part.object === 'queue') return index === 0
  if (part.object === 'stack') return index === state.length - 1
  const highest = Math.max(...state.map((element) => priority.get(element) as number))
  return priority.get(state[index] as number) === highest
}
