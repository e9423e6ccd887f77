import { availableParallelism } from 'node:os'
import type { Pacer } from '../pacer.js'
import type { Portable } from './search/portable.js'
import type { Problem } from './search/problem.js'
import { searchInTurns, type Budget, type SearchedInTurns } from './search/search-in-turns.js'
import { bytesPerWorker, searchSideBySide, WorkerFailure } from './side-by-side.js'

/** Most searches are over before a worker would have started. */
const aloneMs = 300
/** Of a turn in a worker, so that handing the problem over is worth while. */
const fewestMoves = 2 ** 13
const isBuilt = import.meta.url.endsWith('.js')

/** What to search, for this thread and for others. */
export interface Task {
  readonly problem: () => Problem
  /** Null where the problem cannot go to another thread: a model of the user's own is functions. */
  readonly portable: (() => Portable) | null
}

export interface SearchedByAll extends SearchedInTurns {
  /** Worker threads that searched; 0 when this thread did it all. */
  readonly workers: number
}

/**
 * Searches all problems in turns, each turn with twice the moves. Where several are still open after a moment these go
 * on side by side in worker threads, if all of them can go there. The memory for tables is shared out among the workers.
 */
export async function searchAll(tasks: readonly Task[], budget: Budget): Promise<SearchedByAll> {
  const most = Math.min(availableParallelism(), Math.floor(budget.memoryBytes / (2 * bytesPerWorker)))
  const alone = async () => {
    const problems = tasks.map(({ problem }) => problem)
    return { ...(await searchInTurns(problems, budget)), workers: 0 }
  }
  const canGo = tasks.every(({ portable }) => portable !== null)
  if (!isBuilt || most < 2 || tasks.length < 2 || !canGo) return alone()

  const first = await searchInTurns(
    tasks.map(({ problem }) => problem),
    { ...budget, pacer: untilHandOver(budget.pacer) },
  )
  const isRefuted = first.searched.some(({ outcome }) => outcome === 'not-linearizable')
  if (first.spent !== handOver || isRefuted) return { ...first, workers: 0 }
  const open = [...first.searched.keys()].filter((index) => first.searched[index]?.outcome === 'open')
  if (open.length < 2) return alone()
  try {
    return await handedOver(open, { tasks, first, budget, workers: Math.min(most, open.length) })
  } catch (error) {
    // Whatever a worker met is met again here, where it can be told.
    if (error instanceof WorkerFailure) return alone()
    throw error
  }
}

async function handedOver(
  open: readonly number[],
  given: { tasks: readonly Task[]; first: SearchedInTurns; budget: Budget; workers: number },
): Promise<SearchedByAll> {
  const { tasks, first, budget, workers } = given
  const decided = tasks.length - open.length
  const exploredIn = (all: typeof first.searched) => all.reduce((sum, one) => sum + one.explored, 0)
  const before = exploredIn(first.searched)
  const kept = exploredIn(first.searched.filter(({ outcome }) => outcome !== 'open'))
  const portables: Portable[] = []
  for (const index of open) {
    const portable = tasks[index]?.portable
    if (portable) portables.push(portable())
    await budget.pacer.breathe()
  }
  const rest = await searchSideBySide(portables, {
    ...budget,
    workers,
    firstTurn: Math.max(first.moves, fewestMoves),
    // Never less than was told before: searches are begun again in the workers.
    onTurn: (more, configurations) =>
      budget.onTurn?.(decided + more, Math.max(before, kept + configurations)),
  })
  const searched = [...first.searched]
  for (const [place, index] of open.entries()) {
    const result = rest.searched[place]
    if (result !== undefined) searched[index] = result
  }
  return { ...rest, searched, bytes: Math.max(first.bytes, rest.bytes), workers }
}

const handOver = 'others can go on side by side'

function untilHandOver(pacer: Pacer): Pacer {
  const until = pacer.elapsedMs + aloneMs
  return {
    get elapsedMs() {
      return pacer.elapsedMs
    },
    get spent() {
      return pacer.spent ?? (pacer.elapsedMs > until ? handOver : null)
    },
    breathe: () => pacer.breathe(),
  }
}
