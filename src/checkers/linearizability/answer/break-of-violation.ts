import { describeValue } from '../../../models/describe.js'
import type { Break } from '../../checker.js'
import type { Telling } from '../certificate.js'
import { decide } from '../choose.js'
import { never, type Part, type Violation } from '../part.js'
import { memoryOf } from '../search/memory.js'
import { callsOfPart } from '../search/model-calls.js'
import { modelProblem } from '../search/model-problem.js'
import type { Problem } from '../search/problem.js'
import { registerProblem } from '../search/register-problem.js'
import { Search } from '../search/search.js'
import { atTheBreak, type AtTheBreak } from './at-the-break.js'
import { breakOfPart } from './break-of-part.js'
import { cutPart } from './cut-part.js'

const movesPerSlice = 100
/** Moves after the search came as far as it can, in which it may meet further states. */
const movesAtTheBreak = 5_000
/** In a longer history, or where steps cost more, the way to the break would take too long. */
const mostSearched = 200_000
const mostSearchMs = 1_000

/**
 * Where a part stops being linearizable, given a violation that an exact checker found; undefined when that cannot be
 * told in time. The states there are those that a search of at most `memoryBytes` meets; none in very long histories.
 */
export async function breakOfViolation(
  part: Part,
  violation: Violation,
  telling: Telling & { readonly memoryBytes: number },
): Promise<Break | undefined> {
  const { columns, pacer } = telling
  const at = await breakOfPart(part, violation, { decide: (cut) => decide(cut).decision, pacer })
  if (at === null) return undefined
  const idAt = (index: number) => columns.idAt(part.source[index] as number)
  const answers = part.complete.filter((end) => end !== never)
  const broken = part.complete.indexOf(at)
  const cut = cutPart(part, at)
  const { states, pending } = await stuckIn(cut, part, telling)
  return {
    brokenAt: idAt(broken),
    prefix: { answers: answers.filter((end) => end < at).length, of: answers.length },
    states,
    pending: pending.map(({ index, why }) => ({ operation: columns.idAt(cut.source[index] as number), why })),
  }
}

const nothingKnown: AtTheBreak = { states: [], pending: [] }

/** What a search knows at the last return of a part that is refuted because of it. */
async function stuckIn(
  cut: Part,
  part: Part,
  { pacer, memoryBytes, ...source }: Telling & { readonly memoryBytes: number },
): Promise<AtTheBreak> {
  if (cut.count > mostSearched) return nothingKnown
  const search = Search.of(problemOfCut(cut, part, source), memoryOf(memoryBytes))
  if (search === null) return nothingKnown
  const endsAt = pacer.elapsedMs + mostSearchMs
  const isThere = () => cut.complete[search.stuckAt] === cut.events - 1
  const isSpent = () => search.isFull || pacer.spent !== null || pacer.elapsedMs > endsAt
  while (!isThere() && !isSpent() && search.advance(movesPerSlice) === 'open') await pacer.breathe()
  if (!isThere()) return nothingKnown
  search.advance(movesAtTheBreak)
  return atTheBreak(search)
}

function problemOfCut(cut: Part, whole: Part, { columns, encoded, model }: Omit<Telling, 'pacer'>): Problem {
  const values = encoded.valuesOf(whole)
  const register = registerProblem(cut, (id) => describeValue(values[id] ?? null))
  if (register !== null) return register
  const calls = callsOfPart(cut, { columns, model })
  return modelProblem(
    {
      ...calls,
      seenAt(index) {
        const seen = calls.seenAt(index)
        const isOpen = cut.complete[index] === never
        return isOpen ? { ...seen, outcome: 'unknown', output: null } : seen
      },
    },
    model,
  )
}
