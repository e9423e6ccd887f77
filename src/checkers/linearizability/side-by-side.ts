import { setTimeout } from 'node:timers/promises'
import type { Pacer } from '../pacer.js'
import type { PortableSearch, PortableSearched } from './parallel-worker.js'
import type { Portable } from './search/portable.js'
import type { Budget, SearchedInTurns } from './search/search-in-turns.js'

const lookMs = 20
/** Measured on Node 20: what a worker takes before its first table. */
export const bytesPerWorker = 25_000_000
/** Workers load built files only. */
const workerFile = new URL('./parallel-worker.js', import.meta.url)

/** Why several threads could not search: what one thread has to tell about it is told better there. */
export class WorkerFailure extends Error {}

/**
 * Searches problems in worker threads until all are decided, one is a violation, or the budget is spent. The first turn
 * has `firstTurn` moves for each, every other one twice those before; a search is begun again in each, which costs no
 * more than the last turn. A violation ends it at once, so that it does not wait for harder problems. No thread is left
 * when this ends, however it does. Throws WorkerFailure when a worker throws.
 */
export async function searchSideBySide(
  portables: readonly Portable[],
  { pacer, memoryBytes, workers, firstTurn, onTurn }: Budget & { workers: number; firstTurn: number },
): Promise<SearchedInTurns> {
  const { Tinypool } = await import('tinypool')
  const pool = new Tinypool({ filename: workerFile.href, minThreads: workers, maxThreads: workers })
  const share = Math.floor(memoryBytes / workers) - bytesPerWorker
  const results: PortableSearched[] = portables.map(() => notYet)
  const explored = new Int32Array(new SharedArrayBuffer(4 * portables.length))
  const tell = () =>
    onTurn?.(
      results.filter(isDecided).length,
      explored.reduce((sum, one) => sum + one, 0),
    )
  const search = async (portable: Portable, place: number, moves: number): Promise<PortableSearched> => {
    const task: PortableSearch = { portable, moves, memoryBytes: share, explored, place }
    try {
      return (await pool.run(task)) as PortableSearched
    } catch (error) {
      if (isOutOfMemory(error)) return { ...notYet, isFull: true, bytes: share }
      throw new WorkerFailure('a worker thread failed', { cause: error })
    }
  }
  let spent: string | null = null
  let seen = () => {}
  const violation = new Promise<void>((resolve) => (seen = resolve))
  let moves = firstTurn
  try {
    for (; spent === null; moves *= 2) {
      const turn = portables.map(async (portable, place) => {
        if (results[place]?.outcome !== 'open' || results[place]?.isFull) return
        const result = await search(portable, place, moves)
        results[place] = result
        if (isViolation(result)) seen()
      })
      spent = await spentBefore(Promise.race([Promise.all(turn), violation]), pacer, tell)
      const left = results.filter((result) => !isDecided(result))
      if (left.length === 0 || results.some(isViolation)) break
      if (spent === null && left.every(({ isFull }) => isFull)) {
        spent = 'the memory for the search was used up'
      }
    }
  } finally {
    await pool.destroy()
  }
  const bytes = Math.max(...results.map((result) => result.bytes)) * workers
  const isOver = results.every(isDecided) || results.some(isViolation)
  return { searched: results, moves, bytes, spent: isOver ? null : spent }
}

const isDecided = ({ outcome }: PortableSearched) => outcome !== 'open'
const isViolation = ({ outcome }: PortableSearched) => outcome === 'not-linearizable'

const notYet: PortableSearched = {
  outcome: 'open',
  explored: 0,
  stuckAt: -1,
  states: [],
  isFull: false,
  bytes: 0,
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** What ran out before the work was done, in words; null when it was done first. Tells in between how it goes. */
async function spentBefore(work: Promise<unknown>, pacer: Pacer, tell: () => void): Promise<string | null> {
  let isDone = false
  const done = work.finally(() => (isDone = true))
  // Workers that are ended with their tasks reject these; whoever ended them knows.
  done.catch(() => undefined)
  while (!isDone) {
    if (pacer.spent !== null) return pacer.spent
    await Promise.race([done, setTimeout(lookMs)])
    tell()
  }
  await done
  return null
}
