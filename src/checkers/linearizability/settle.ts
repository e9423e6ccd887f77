import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { Search, type SearchOutcome } from './search.js'

const movesPerSlice = 500
const mostMoves = 50_000

/** What the questions around a violation are settled with. */
export interface Settling {
  readonly key: Partition['key']
  readonly model: Model
  readonly pacer: Pacer
}

/** Whether the calls alone are linearizable; `open` when a bounded search does not tell. */
export async function settle(
  calls: readonly Call[],
  { key, model, pacer }: Settling,
): Promise<SearchOutcome> {
  const search = new Search({ key, calls }, model)
  let outcome: SearchOutcome = 'open'
  for (
    let moves = 0;
    moves < mostMoves && outcome === 'open' && pacer.spent === null;
    moves += movesPerSlice
  ) {
    outcome = search.advance(movesPerSlice)
    await pacer.breathe()
  }
  return outcome
}
