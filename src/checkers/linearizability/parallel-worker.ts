import type { Part } from './part.js'
import { memoryOf } from './search/memory.js'
import { registerProblem } from './search/register-problem.js'
import { Search } from './search/search.js'
import type { Searched } from './search/search-in-turns.js'

/** A search of one part, for at most so many moves and bytes of tables. The part's columns are shared, not copied. */
export interface PartSearch {
  readonly part: Part
  readonly moves: number
  readonly memoryBytes: number
}

export interface PartSearched extends Searched {
  /** True when it ended because its memory was used up. */
  readonly isFull: boolean
  readonly bytes: number
}

/** Runs in a worker: the task of `searchSideBySide`. */
export default function searchPart({ part, moves, memoryBytes }: PartSearch): PartSearched {
  const problem = registerProblem(part)
  if (problem === null) throw new Error(`a ${part.object} is not searched in a worker`)
  const memory = memoryOf(memoryBytes)
  const search = Search.of(problem, memory)
  if (search === null) {
    return { outcome: 'open', explored: 0, stuckAt: -1, states: [], isFull: true, bytes: memory.most }
  }
  const outcome = search.advance(moves)
  const { explored, stuckAt, statesWhenStuck: states, isFull } = search
  return { outcome, explored, stuckAt, states, isFull, bytes: memory.most }
}
