import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { never } from './part.js'
import { memoryOf } from './search/memory.js'
import type { ModelCalls } from './search/model-calls.js'
import { modelProblem } from './search/model-problem.js'
import { Search, type SearchOutcome } from './search/search.js'

const movesPerSlice = 500
const mostMoves = 50_000
const mostBytes = 100_000_000

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
  const search = searchOf(calls, { key, model })
  if (search === null) return 'open'
  let outcome = search.advance(0)
  for (
    let moves = 0;
    moves < mostMoves && outcome === 'open' && pacer.spent === null && !search.isFull;
    moves += movesPerSlice
  ) {
    outcome = search.advance(movesPerSlice)
    await pacer.breathe()
  }
  return outcome
}

/** A search for an order of the calls alone; null when its memory is not enough for them. */
export function searchOf(
  calls: readonly Call[],
  { key, model }: Pick<Settling, 'key' | 'model'>,
): Search | null {
  return Search.of(modelProblem(modelCalls(calls, key), model), memoryOf(mostBytes))
}

/** Calls of a part of a history, with ranks of their own. */
function modelCalls(calls: readonly Call[], key: Partition['key']): ModelCalls {
  const events = calls.flatMap(({ invoke, complete }, index) => [
    { at: invoke, index, returns: false },
    ...(complete === Infinity ? [] : [{ at: complete, index, returns: true }]),
  ])
  events.sort((a, b) => a.at - b.at)
  const invoke = new Int32Array(calls.length)
  const complete = new Int32Array(calls.length).fill(never)
  events.forEach(({ index, returns }, rank) => ((returns ? complete : invoke)[index] = rank))
  return {
    key,
    count: calls.length,
    invoke,
    complete,
    events: events.length,
    seenAt: (index) => (calls[index] as Call).seen,
    idAt: (index) => (calls[index] as Call).operation.op_id,
  }
}
