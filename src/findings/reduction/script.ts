import type { Operation } from '../../history/operation.js'
import type { ScriptedOperation } from '../../workload/script.js'
import { healBegan, type FaultEvent } from './events.js'
import type { ReproducedFault } from './reproducer.js'

/** What is taken from a recorded run into a script. */
export interface ScriptParts {
  /** In order of invocation. */
  readonly operations: readonly Operation[]
  readonly events: readonly FaultEvent[]
  /** The node that a process of the run was connected to. */
  nodeOf(process: Operation['process_id']): string
  /** Keeps the time that passed between one moment and the next; otherwise only their order. */
  readonly gaps: boolean
}

/** Operations and faults, each with what must have come before it. */
export interface Script {
  readonly operations: readonly ScriptedOperation[]
  readonly faults: readonly ReproducedFault[]
}

type Turn = NonNullable<ReproducedFault['turn']>

/** A moment that later ones wait for. */
interface Moment {
  readonly mark: string
  readonly at: number
  /** When the step began that leads to it: it has waited for all before. */
  readonly begunAt: number
}

/**
 * Tells the order of recorded operations and faults as a script: every operation waits for those that had been invoked
 * or had ended, and for the faults that had gone in or been healed, when it was invoked; so does every fault. What is
 * implied by something else is left out.
 *
 * An operation after a fault waits for its injection, and for its landing when it has `landing` signals of its own. One
 * that came while a fault was being taken back waits until that is complete, or it would meet nodes that only just start.
 */
export function scriptOf(parts: ScriptParts): Script {
  const { operations, events } = parts
  const idOf = new Map(operations.map((operation, index) => [operation, `o${index + 1}`]))
  const processes = [...new Set(operations.map(({ process_id: process }) => process))]
  const last = operations.at(-1)?.invoke_ts ?? 0
  const moments = [
    ...operations.flatMap((operation) => momentsOf(operation, idOf.get(operation) as string)),
    ...events.flatMap((event) => faultMoments(event)),
  ]
  const startedAt = Math.min(...moments.map(({ at }) => at))
  const turn = (at: number) => turnAt(at, { moments, startedAt, gaps: parts.gaps })
  return {
    operations: operations.map((operation) => ({
      id: idOf.get(operation) as string,
      client: processes.indexOf(operation.process_id),
      node: parts.nodeOf(operation.process_id),
      type: operation.op_type,
      key: operation.key,
      value: operation.input,
      ...turn(operation.invoke_ts),
    })),
    faults: events.map((event) => {
      const { id, fault, path, kind, drawn, atMs, forMs, window } = event
      const healAt = healBegan(event)
      return {
        ...{ id, fault, path, kind, drawn, atMs, forMs },
        turn: turn(window.injected_ts),
        // Nothing waits for a heal after the last operation: all faults are healed then.
        heal: healAt === null || healAt > last ? null : turn(healAt),
      }
    }),
  }
}

function momentsOf({ invoke_ts: invoked, complete_ts: ended }: Operation, id: string): Moment[] {
  return [
    { mark: `${id} invoked`, at: invoked, begunAt: invoked },
    ...(ended === null ? [] : [{ mark: `${id} ended`, at: ended, begunAt: invoked }]),
  ]
}

function faultMoments(event: FaultEvent): Moment[] {
  const { id, window, nemesis } = event
  const { injected_ts: injected, landed_ts: landed } = window
  const healed = healBegan(event)
  const signs = nemesis.landing.length > 0 && landed !== null
  return [
    { mark: `${id} placed`, at: injected, begunAt: injected },
    ...(signs ? [{ mark: `${id} landed`, at: landed, begunAt: injected }] : []),
    ...(healed === null ? [] : [{ mark: `${id} healed`, at: healed, begunAt: healed }]),
  ]
}

function turnAt(
  at: number,
  { moments, startedAt, gaps }: { moments: readonly Moment[]; startedAt: number; gaps: boolean },
): Turn {
  const before = moments.filter((moment) => moment.at < at)
  // Every step waits for all that came before it, so only what came since the last step began is left to wait for.
  const lastBegun = Math.max(...before.map(({ begunAt }) => begunAt))
  const direct = before.filter((moment) => moment.at >= lastBegun)
  const marks = direct.map(({ mark }) => mark)
  const after = marks.filter((mark) => followUp(mark) === mark || !marks.includes(followUp(mark)))
  const since = Math.max(startedAt, ...before.map((moment) => moment.at))
  return { after, waitMs: gaps ? Math.max(0, Math.round((at - since) / 1e6)) : 0 }
}

/** What comes after a moment of the same operation or fault, and stands for it. */
function followUp(mark: string): string {
  return mark.replace(/ invoked$/, ' ended').replace(/ placed$/, ' landed')
}
