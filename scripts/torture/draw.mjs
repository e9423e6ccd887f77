import { Random } from '../../dist/src/random/random.js'

/** How far a run may be when it is ended, each with the longest that is waited in it (ms). */
const phases = [
  ['starting', 3_000],
  ['injecting', 300],
  ['in-place', 2_500],
  ['healing', 300],
  ['ending', 2_000],
]
export const phaseNames = phases.map(([name]) => name)

/** What is ended: the worker that holds the fault, or the main process with it. */
const ends = ['worker', 'both']

/**
 * What the runs are, without end: each exercises a row and is ended in a phase, some with their guardian. Every family of
 * faults has its turn before any has another, every row within its family, and every phase.
 */
export function* draws(rows, seed) {
  const random = new Random(seed)
  const families = [...new Set(rows.map(({ family }) => family))].map((family) =>
    turns(
      rows.filter((row) => row.family === family),
      random.fork(family),
    ),
  )
  const nextFamily = turns(families, random.fork('families'))
  const nextPhase = turns(phases, random.fork('phases'))
  const moments = random.fork('moments')
  for (let index = 1; ; index += 1) {
    const row = nextFamily()()
    const [phase, longestMs] = nextPhase()
    yield {
      index,
      row,
      phase,
      // Most of what changes a machine is done early in a phase.
      delayMs: Math.round(longestMs * moments.float() ** 3),
      end: ends[moments.int(0, ends.length - 1)],
      withGuardian: moments.int(1, 4) === 1,
    }
  }
}

/** Deals the items in an order of chance, and again when all are dealt. */
function turns(items, random) {
  let left = []
  return () => {
    if (left.length === 0) left = [...items]
    return left.splice(random.int(0, left.length - 1), 1)[0]
  }
}
