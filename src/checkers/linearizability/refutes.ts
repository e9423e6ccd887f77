import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { Search } from './search.js'

const movesPerSlice = 500
const mostMoves = 200_000

/** True when the calls alone are proved not linearizable within a bounded search; false when they are, or it is too long. */
export async function refutes(
  calls: readonly Call[],
  { key, model, pacer }: { key: Partition['key']; model: Model; pacer: Pacer },
): Promise<boolean> {
  const search = new Search({ key, calls }, model)
  for (let moves = 0; moves < mostMoves && pacer.spent === null; moves += movesPerSlice) {
    const outcome = search.advance(movesPerSlice)
    if (outcome !== 'open') return outcome === 'not-linearizable'
    await pacer.breathe()
  }
  return false
}
