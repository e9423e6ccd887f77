import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Pacer } from '../pacer.js'
import type { PartSearch, PartSearched } from './parallel-worker.js'
import type { Part } from './part.js'
import type { Problem } from './search/problem.js'
import { searchInTurns, type Budget, type SearchedInTurns } from './search/search-in-turns.js'

/** Most searches are over before a worker would have started. */
const aloneMs = 300
const firstTurn = 2 ** 17
const lookMs = 20
/** Measured on Node 20: what a worker takes before its first table. */
const bytesPerWorker = 25_000_000
/** Workers load built files only. */
const workerFile = new URL('./parallel-worker.js', import.meta.url)
const isBuilt = import.meta.url.endsWith('.js')

/** A problem, and the part that it is of where a worker could make it of that. */
export interface Task {
  readonly problem: () => Problem
  readonly part: Part | null
}

/**
 * Searches all problems in turns, each turn with twice the moves. Where several registers are still open after a moment
 * these go on side by side in worker threads; a search is begun again in each turn there, which costs no more than the
 * last turn. The memory for tables is shared out among the workers.
 */
export async function searchAll(tasks: readonly Task[], budget: Budget): Promise<SearchedInTurns> {
  const problems = tasks.map(({ problem }) => problem)
  const parts = tasks.flatMap(({ part }) => (part?.object === 'register' ? [part] : []))
  const workers = Math.min(
    availableParallelism(),
    parts.length,
    Math.floor(budget.memoryBytes / (2 * bytesPerWorker)),
  )
  if (!isBuilt || workers < 2 || parts.length < tasks.length) return searchInTurns(problems, budget)

  const alone = await searchInTurns(problems, { ...budget, pacer: untilHandOver(budget.pacer) })
  const isDecided = alone.searched.some(({ outcome }) => outcome === 'not-linearizable')
  if (alone.spent !== handOver || isDecided) return alone
  const open = [...alone.searched.keys()].filter((index) => alone.searched[index]?.outcome === 'open')
  if (open.length < 2) return searchInTurns(problems, budget)
  const rest = await searchSideBySide(
    open.map((index) => parts[index] as Part),
    { ...budget, workers: Math.min(workers, open.length) },
  )
  const searched = [...alone.searched]
  open.forEach((index, place) => (searched[index] = rest.searched[place] as PartSearched))
  return { searched, bytes: Math.max(alone.bytes, rest.bytes), spent: rest.spent }
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

/** Searches registers in worker threads until all are decided, one is a violation, or the budget is spent. */
async function searchSideBySide(
  parts: readonly Part[],
  { pacer, memoryBytes, workers }: Budget & { workers: number },
): Promise<SearchedInTurns> {
  const { Tinypool } = await import('tinypool')
  const pool = new Tinypool({ filename: workerFile.href, minThreads: workers, maxThreads: workers })
  const share = Math.floor(memoryBytes / workers) - bytesPerWorker
  const results: PartSearched[] = parts.map(() => notYet)
  let spent: string | null = null
  try {
    for (let moves = firstTurn; spent === null; moves *= 2) {
      const turn = parts.map(async (part, index) => {
        if (results[index]?.outcome !== 'open' || results[index]?.isFull) return
        const task: PartSearch = { part, moves, memoryBytes: share }
        results[index] = (await pool.run(task)) as PartSearched
      })
      spent = await spentBefore(Promise.all(turn), pacer)
      const left = results.filter(({ outcome }) => outcome === 'open')
      if (left.length === 0 || results.some(({ outcome }) => outcome === 'not-linearizable')) break
      if (spent === null && left.every(({ isFull }) => isFull)) {
        spent = 'the memory for the search was used up'
      }
    }
  } finally {
    await pool.destroy()
  }
  const bytes = Math.max(...results.map((result) => result.bytes)) * workers
  const isInvalid = results.some(({ outcome }) => outcome === 'not-linearizable')
  const isOpen = results.some(({ outcome }) => outcome === 'open')
  return { searched: results, bytes, spent: isInvalid || !isOpen ? null : spent }
}

const notYet: PartSearched = {
  outcome: 'open',
  explored: 0,
  stuckAt: -1,
  states: [],
  isFull: false,
  bytes: 0,
}

/** What ran out before the work was done, in words; null when it was done first. */
async function spentBefore(work: Promise<unknown>, pacer: Pacer): Promise<string | null> {
  let isDone = false
  const done = work.finally(() => (isDone = true))
  // Workers that are ended with their tasks reject these; whoever ended them knows.
  done.catch(() => undefined)
  while (!isDone) {
    if (pacer.spent !== null) return pacer.spent
    await Promise.race([done, setTimeout(lookMs)])
  }
  await done
  return null
}
