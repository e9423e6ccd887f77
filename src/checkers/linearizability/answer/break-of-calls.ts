import type { Break } from '../../checker.js'
import type { Call } from '../call.js'
import { prefix } from '../prefix.js'
import { searchOf, type Settling } from '../settle.js'
import { atTheBreak } from './at-the-break.js'

const movesPerSlice = 500
const mostMoves = 20_000

/** Where an object's calls stop being linearizable, given the one at whose return they do. */
export async function breakOfCalls(
  calls: readonly Call[],
  brokenAt: Call,
  settling: Settling,
): Promise<Break> {
  const answers = calls.filter(({ complete }) => complete !== Infinity)
  const before = answers.filter(({ complete }) => complete < brokenAt.complete)
  const broken = {
    brokenAt: brokenAt.operation.op_id,
    prefix: { answers: before.length, of: answers.length },
  }
  const cut = prefix(calls, brokenAt)
  const search = searchOf(cut, settling)
  if (search === null) return { ...broken, states: [], pending: [] }
  for (let moves = 0; moves < mostMoves && settling.pacer.spent === null; moves += movesPerSlice) {
    if (search.advance(movesPerSlice) !== 'open' || search.isFull) break
    await settling.pacer.breathe()
  }
  if (cut[search.stuckAt]?.operation !== brokenAt.operation) return { ...broken, states: [], pending: [] }
  const { states, pending } = atTheBreak(search)
  return {
    ...broken,
    states,
    pending: pending.map(({ index, why }) => ({ operation: (cut[index] as Call).operation.op_id, why })),
  }
}
