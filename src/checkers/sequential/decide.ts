import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call } from './calls.js'
import { OrderSearch, type OrderOutcome } from './order-search.js'
import { readsFrom } from './reads-from.js'
import { saturate } from './saturate.js'
import { sessionsOf } from './sessions.js'

export interface DecideOptions {
  readonly model: Model
  readonly sessionOrder: boolean
  readonly pacer: Pacer
  readonly memoryBytes: number
  /** Called now and then with how many configurations the search explored. */
  readonly onExplored?: (configurations: number) => void
}

export interface Decided {
  readonly outcome: OrderOutcome
  /** Calls that contradict one another, each coming before the next and the last before the first; null if unknown. */
  readonly cycle: readonly Call[] | null
  /** A call that met what nobody wrote. */
  readonly phantom: Call | null
  readonly explored: number
}

/** Decides by what must come before what, and where that leaves it open by looking for an order. */
export async function decide(calls: readonly Call[], options: DecideOptions): Promise<Decided> {
  const { model, sessionOrder, pacer, memoryBytes } = options
  const sessions = sessionsOf(calls, { sessionOrder })
  const reads = readsFrom(calls, model)
  const refuted = { outcome: 'no-order' as const, cycle: null, phantom: null, explored: 0 }
  if (reads !== null && reads.phantom >= 0) return { ...refuted, phantom: calls[reads.phantom] as Call }
  const saturated = reads && saturate(calls, { sessions, reads })
  if (saturated?.outcome === 'cycle') {
    return { ...refuted, cycle: saturated.cycle.map((index) => calls[index] as Call) }
  }
  const edges = saturated?.outcome === 'ordered' ? saturated.edges : []
  const search = new OrderSearch({ calls, model, sessions, reads, edges }, memoryBytes)
  const outcome = await search.run(pacer, options.onExplored)
  return { outcome, cycle: null, phantom: null, explored: search.explored }
}
