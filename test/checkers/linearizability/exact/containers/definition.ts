import { containerKind, never, none, type Part } from '../../../../../src/checkers/linearizability/part.js'

/** Elements, oldest first. */
type State = readonly number[]

/**
 * Linearizability of a small part of a container by its definition: tries every order of every choice of unanswered
 * operations. Shares nothing with the checkers that it is to judge.
 */
export function isLinearizable(part: Part): boolean {
  const operations = [...part.kind.keys()]
  const required = operations.filter((operation) => part.complete[operation] !== never)
  const priority = new Map(
    operations
      .filter((operation) => part.kind[operation] === containerKind.put)
      .map((operation) => [part.a[operation] as number, part.b[operation] as number]),
  )
  const failed = new Set<string>()

  const place = (done: ReadonlySet<number>, state: State): boolean => {
    if (required.every((operation) => done.has(operation))) return true
    const configuration = `${[...done].toSorted((x, y) => x - y).join()}|${state.join()}`
    if (failed.has(configuration)) return false
    const left = operations.filter((operation) => !done.has(operation))
    const firstReturn = Math.min(...left.map((operation) => part.complete[operation] as number))
    const found = left
      .filter((operation) => (part.invoke[operation] as number) < firstReturn)
      .some((operation) =>
        after(part, { operation, state, priority }).some((next) => place(new Set([...done, operation]), next)),
      )
    if (!found) failed.add(configuration)
    return found
  }
  return place(new Set(), [])
}

/** The states that the operation can leave; none when it cannot have had its result. */
function after(
  part: Part,
  { operation, state, priority }: { operation: number; state: State; priority: ReadonlyMap<number, number> },
): State[] {
  const element = part.a[operation] as number
  if (part.kind[operation] === containerKind.put) return [[...state, element]]
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
