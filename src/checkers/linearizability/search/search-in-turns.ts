import { none } from '../part.js'
import type { Pacer } from '../../pacer.js'
import { memoryOf, shareOf, type Memory } from './memory.js'
import type { Problem } from './problem.js'
import { replay } from './replay.js'
import { Search, type SearchOutcome } from './search.js'

/** Moves between two looks at the clock: well under a millisecond on small states. */
const movesPerSlice = 200
const firstTurn = 200

/** What came of the search for one problem. */
export interface Searched {
  readonly outcome: SearchOutcome
  /** Configurations explored. */
  readonly explored: number
  /** Index of the operation whose return no order got past; `none` when none was met. */
  readonly stuckAt: number
  /** States that are possible just before, in words; up to eight. */
  readonly states: readonly string[]
}

export interface SearchedInTurns {
  /** In the order of the problems. */
  readonly searched: readonly Searched[]
  /** Moves of the last turn. */
  readonly moves: number
  /** The most memory that the tables took at a time, in bytes. */
  readonly bytes: number
  /** What ran out, in words, when some outcome is `open` and none is `not-linearizable`. */
  readonly spent: string | null
}

export interface Budget {
  readonly pacer: Pacer
  /** What the tables of all searches may take together. Never exceeded. */
  readonly memoryBytes: number
  /** Called after each turn of a problem with what is decided and explored so far. */
  onTurn?(decided: number, explored: number): void
}

/**
 * Searches all problems in turns, each turn with twice the moves, so that a hard key does not hide an easy violation on
 * another one. Ends at the end of the turn in which a violation was found, or when time or memory run out. A problem is
 * made when its turn first comes, and the tables of decided ones are let go, so that those of ten thousand keys are not
 * all there at once.
 */
export async function searchInTurns(
  problems: readonly (() => Problem)[],
  { pacer, memoryBytes, onTurn }: Budget,
): Promise<SearchedInTurns> {
  const memory = memoryOf(memoryBytes)
  const turns = problems.map((make) => new Turns(make, memory))
  let spent: string | null = null
  let decided = 0
  let explored = 0
  let moves = firstTurn
  for (; spent === null; moves *= 2) {
    for (const one of turns) {
      if (!isOpen(one)) continue
      explored -= one.explored
      spent = await one.take(moves, pacer)
      explored += one.explored
      if (!isOpen(one)) decided += 1
      onTurn?.(decided, explored)
      if (spent !== null) break
    }
    if (decided === turns.length) break
    if (turns.some(({ outcome }) => outcome === 'not-linearizable')) break
  }
  return { searched: turns, moves, bytes: memory.most, spent }
}

// Asked through a function: a turn changes the outcome.
const isOpen = ({ outcome }: Searched) => outcome === 'open'

/** The turns of one problem. */
class Turns implements Searched {
  readonly #make: () => Problem
  readonly #memory: Memory
  #search: Search | null = null
  outcome: SearchOutcome = 'open'
  explored = 0
  stuckAt = none
  states: readonly string[] = []

  constructor(make: () => Problem, memory: Memory) {
    this.#make = make
    this.#memory = shareOf(memory)
  }

  /** Takes a turn. Returns what ran out, in words. */
  async take(moves: number, pacer: Pacer): Promise<string | null> {
    if (this.#search === null) {
      const problem = this.#make()
      const replayed = replay(problem)
      if (replayed !== null) {
        Object.assign(this, replayed)
        return null
      }
      this.#search = Search.of(problem, this.#memory)
    }
    const search = this.#search
    if (search === null) return outOfMemory
    let spent: string | null = null
    for (let done = 0; done < moves && this.outcome === 'open' && spent === null; done += movesPerSlice) {
      this.outcome = search.advance(movesPerSlice)
      spent = pacer.spent ?? (search.isFull ? outOfMemory : null)
      await pacer.breathe()
    }
    this.explored = search.explored
    if (this.outcome === 'open') return spent
    this.stuckAt = search.stuckAt
    this.states = search.statesWhenStuck
    this.#search = null
    this.#memory.giveBack(this.#memory.taken)
    return null
  }
}

const outOfMemory = 'the memory for the search was used up'
