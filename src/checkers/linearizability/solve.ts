import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Partition } from './call.js'
import { Search, type SearchOutcome } from './search.js'

/** Moves between two looks at the clock: well under a millisecond on small states. */
const movesPerSlice = 500
const firstBudget = 2_000

/** What the tables of all searches may take, below the heap that Node gets on a small machine. */
const mostBytes = 1_200_000_000

export interface Solved {
  readonly searches: readonly {
    readonly partition: Partition
    readonly search: Search
    readonly outcome: SearchOutcome
  }[]
  readonly explored: number
  /** What ran out, in words, when some outcome is `open` and none is `not-linearizable`. */
  readonly spent: string | null
}

/**
 * Searches all partitions in turns, each turn with a doubled budget, so that a hard key does not hide an easy violation
 * on another one. Ends at the end of the turn in which a violation was found.
 */
export async function solve(partitions: readonly Partition[], model: Model, pacer: Pacer): Promise<Solved> {
  const searches = partitions.map((partition) => ({
    partition,
    search: null as Search | null,
    outcome: 'open' as SearchOutcome,
  }))
  let bytes = 0
  let spent: string | null = null

  for (let budget = firstBudget; spent === null; budget *= 2) {
    for (const entry of searches) {
      if (entry.outcome !== 'open') continue
      const bytesBefore = entry.search?.bytes ?? 0
      // Made when its turn comes: the tables of ten thousand keys are not all needed at once.
      entry.search ??= new Search(entry.partition, model)
      for (
        let moves = 0;
        moves < budget && entry.outcome === 'open' && spent === null;
        moves += movesPerSlice
      ) {
        entry.outcome = entry.search.advance(movesPerSlice)
        const isFull = bytes - bytesBefore + entry.search.bytes > mostBytes
        spent = pacer.spent ?? (isFull ? `the memory limit of ${mostBytes / 1e6} MB was reached` : null)
        await pacer.breathe()
      }
      bytes += entry.search.bytes - bytesBefore
      if (spent !== null) break
    }
    if (searches.every(({ outcome }) => outcome !== 'open')) break
    if (searches.some(({ outcome }) => outcome === 'not-linearizable')) break
  }
  return {
    searches: searches.flatMap(({ partition, search, outcome }) =>
      search ? [{ partition, search, outcome }] : [],
    ),
    explored: searches.reduce((sum, { search }) => sum + (search?.explored ?? 0), 0),
    spent,
  }
}
