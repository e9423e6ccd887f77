import { never, none, registerKind, type Part } from '../../part.js'
import { memoryOf } from '../../search/memory.js'
import { registerProblem } from '../../search/register-problem.js'
import { Search } from '../../search/search.js'
import type { WindowOperation } from './window.js'

const mostBytes = 50_000_000

/**
 * The rank of the return that no order of the window gets past, whatever value the register had at the start; `none` when
 * some order does, and also when it would take more than `most` moves of the search to know.
 *
 * Searches from each value that occurs in the window and from one that does not, or from `initial` alone when that is
 * given. One value from which there is an order is enough to end it.
 */
export function returnNobodyPasses(
  window: readonly WindowOperation[],
  { initial, most }: { initial: number | null; most: number },
): number {
  const { part, idOf } = partOf(window)
  const problem = registerProblem(part)
  if (problem === null) return none
  const other = part.values - 1
  const starts = initial === null ? [other, ...idOf.values()] : [idOf.get(initial) ?? other]
  let furthest = none
  for (const start of starts) {
    const behaviour = { ...problem.behaviour, initial: start }
    const search = Search.of({ ...problem, behaviour }, memoryOf(mostBytes))
    if (search?.advance(most) !== 'not-linearizable') return none
    furthest = Math.max(furthest, (window[search.stuckAt] as WindowOperation).complete)
  }
  return furthest
}

/** The window as a history of its own, with one value more than occur in it. */
function partOf(window: readonly WindowOperation[]): { part: Part; idOf: Map<number, number> } {
  const idOf = new Map<number, number>()
  const number = (value: number) => {
    const id = idOf.get(value) ?? idOf.size
    idOf.set(value, id)
    return id
  }
  const count = window.length
  const invoke = new Int32Array(count)
  const complete = new Int32Array(count).fill(never)
  const events = window.flatMap((operation, index) => [
    { at: operation.invoke, index, returns: false },
    ...(operation.complete === never ? [] : [{ at: operation.complete, index, returns: true }]),
  ])
  events.sort((x, y) => x.at - y.at)
  events.forEach(({ index, returns }, rank) => ((returns ? complete : invoke)[index] = rank))
  const part: Part = {
    object: 'register',
    key: null,
    count,
    kind: Uint8Array.from(window, ({ kind }) => kind),
    a: Int32Array.from(window, ({ a }) => number(a)),
    b: Int32Array.from(window, ({ kind, b }) => (kind === registerKind.cas ? number(b) : none)),
    lists: null,
    invoke,
    complete,
    process: null,
    source: Int32Array.from(window, ({ index }) => index),
    events: events.length,
    values: idOf.size + 1,
  }
  return { part, idOf }
}
