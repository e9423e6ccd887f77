import { memoryOf } from './search/memory.js'
import { problemOfPortable, type Portable } from './search/portable.js'
import { Search } from './search/search.js'
import type { Searched } from './search/search-in-turns.js'

const movesPerSlice = 2_000

/** A search of one problem, for at most so many moves and bytes of tables. */
export interface PortableSearch {
  readonly portable: Portable
  readonly moves: number
  readonly memoryBytes: number
  /** Shared with who asked: configurations explored so far, in the place of this problem. */
  readonly explored: Int32Array
  readonly place: number
}

export interface PortableSearched extends Searched {
  /** True when it ended because its memory was used up. */
  readonly isFull: boolean
  readonly bytes: number
}

/** Runs in a worker: the task of `searchSideBySide`. */
export default function searchPortable(task: PortableSearch): PortableSearched {
  const memory = memoryOf(task.memoryBytes)
  const search = Search.of(problemOfPortable(task.portable), memory)
  if (search === null) {
    return { outcome: 'open', explored: 0, stuckAt: -1, states: [], isFull: true, bytes: memory.most }
  }
  let outcome = search.advance(0)
  for (let done = 0; done < task.moves && outcome === 'open' && !search.isFull; done += movesPerSlice) {
    outcome = search.advance(movesPerSlice)
    // Told as the most of any turn: a search that is begun again catches up first.
    if (search.explored > (task.explored[task.place] as number)) task.explored[task.place] = search.explored
  }
  const { explored, stuckAt, statesWhenStuck: states, isFull } = search
  return { outcome, explored, stuckAt, states, isFull, bytes: memory.most }
}
