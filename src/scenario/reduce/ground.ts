import { join } from 'node:path'
import { minimise } from '../../findings/minimise/minimise.js'
import { eventsOf, type FaultEvent } from '../../findings/reduction/events.js'
import { shortestAnomaly, type Violation } from '../../findings/violation.js'
import type { Operation } from '../../history/operation.js'
import { readHistory } from '../../history/read.js'
import type { RunRecord } from '../../session/record.js'
import { spanOf } from '../pass/pass.js'
import type { Passes } from '../runs/passes.js'
import type { Ground } from './search.js'

const minimiseWithinMs = 10_000

/** What a search begins with, from a run that shows a violation. Throws HistoryError when its history is unreadable. */
export async function groundOf(
  passes: Passes,
  { run, check }: Violation,
  found: { readonly clients: number; readonly events?: readonly FaultEvent[] },
): Promise<Ground> {
  const history = join(passes.environment.sessionDir, run.history ?? '')
  const { operations } = await readHistory(history, { allowEmpty: true })
  const core = await coreOf(passes, { run, check }, operations)
  const startedAt = operations[0]?.invoke_ts ?? 0
  const ends = Math.max(
    startedAt,
    ...core.map(({ invoke_ts: invoked, complete_ts: ended }) => ended ?? invoked),
  )
  return {
    recorded: { operations, nodes: run.nodes, clients: found.clients },
    events:
      found.events === undefined
        ? eventsOf(run, { plans: passes.spec.nemesis ?? [], startedAt })
        : again(found.events, run),
    core,
    coreEndsMs: (ends - startedAt) / 1e6,
  }
}

/** The faults of a candidate with their windows in its run: each was declared by itself, in this order. */
function again(events: readonly FaultEvent[], { schedule, faults }: RunRecord): FaultEvent[] {
  return events.flatMap((event, index) => {
    const id = schedule[index]?.faults[0]?.id
    const window = faults.find((one) => one.id === id)
    return window === undefined ? [] : [{ ...event, window }]
  })
}

/** The smallest part that is a violation by itself; what the checker names when it cannot be made smaller. */
async function coreOf(
  { spec, environment }: Passes,
  { run, check }: Violation,
  operations: readonly Operation[],
): Promise<readonly Operation[]> {
  const checker = spec.checkers.find(({ name }) => name === check.checker)
  // What a checker read from the live system is not recorded, so it cannot judge a part of the history again.
  const judges = checker !== undefined && checker.collect === undefined
  const minimised = judges
    ? await minimise({
        operations,
        model: spec.model ?? null,
        checker,
        result: check,
        faults: run.faults.map(spanOf),
        timeoutMs: minimiseWithinMs,
        signal: environment.signal,
        // A script begins on a new system, which is in no other state than at first.
        fromTheStart: true,
      })
    : null
  if (minimised !== null) return minimised.operations
  const named = new Set(shortestAnomaly(check)?.operations)
  return operations.filter(({ op_id: id }) => named.has(id))
}
