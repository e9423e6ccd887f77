import { z } from 'zod'
import type { FaultSpan } from '../../history/fault-span.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { tell } from '../words.js'
import { inWindow, windows, type Window } from './windows.js'
import { recoveries, type Recovery } from './recovery.js'

export interface AvailabilityOptions {
  /** The share of operations that must be acknowledged, from 0 to 1. */
  atLeast?: number
  /** The operations of which that share is taken. Default `all`. */
  window?: Window
  /** After each fault is healed, how long until the system is steady again, at most. */
  recoverWithin?: Duration
  /** It is steady when no operation failed or went unanswered for so long. Default 1 s. */
  steady?: Duration
}

const durationSchema = z.union([z.number().nonnegative(), z.string()])
const schema = z
  .strictObject({
    atLeast: z.number().min(0).max(1).optional(),
    window: z.enum(windows).optional(),
    recoverWithin: durationSchema.optional(),
    steady: durationSchema.optional(),
  })
  .refine(
    ({ atLeast, recoverWithin }) => atLeast !== undefined || recoverWithin !== undefined,
    'expected atLeast or recoverWithin',
  )

/**
 * The system goes on to answer, and is well again soon after a fault. Throws DeclarationError when the options are wrong.
 */
export function availability(options: AvailabilityOptions): Checker {
  const { atLeast, window = 'all' } = checkedOptions(options, {
    checker: 'availability',
    factory: 'availability',
    schema,
    example: "availability({ atLeast: 0.99, recoverWithin: '5s' })",
  })
  const { recoverWithin, steady = '1s' } = options
  const withinMs =
    recoverWithin === undefined ? null : milliseconds(recoverWithin, 'availability.recoverWithin')
  const steadyMs = milliseconds(steady, 'availability.steady')
  return defineChecker({
    name: 'availability',
    pattern: 4,
    options,
    needs: ['invoke_ts', 'complete_ts', 'timeout_marker'],
    scope: ['whether the answers are right', 'keys and nodes to which no operation was sent after the heal'],
    judge: ({ operations, faults = [] }) => {
      const share = atLeast === undefined ? null : shareOf(inWindow(operations, window, faults), atLeast)
      const inOrder = operations.toSorted((a, b) => a.invoke_ts - b.invoke_ts)
      const all = withinMs === null ? [] : recoveries(inOrder, faults, steadyMs * 1e6)
      const late = all.flatMap((recovery) => tooLate(recovery, withinMs as number))
      const times = all.flatMap(({ ms }) => ms ?? [])
      return {
        consumed: operations.length,
        anomalies: [...(share?.anomaly ?? []), ...late],
        undecided: undecided({ all, faults, share, withinMs }),
        evidence: {
          ...share?.evidence,
          recoveries: all.length,
          ...(times.length === 0 ? {} : { slowestRecoveryMs: Math.max(...times) }),
        },
      }
    },
  })
}

interface Share {
  readonly anomaly: readonly Anomaly[]
  readonly evidence: Readonly<Record<string, number>>
  readonly counted: number
}

function shareOf(operations: readonly Operation[], atLeast: number): Share {
  const bad = operations.filter((operation) => outcomeOf(operation) !== 'ok')
  const share = 1 - bad.length / Math.max(1, operations.length)
  const [first] = bad
  const counted = operations.length
  if (first === undefined || share >= atLeast) return { anomaly: [], evidence: { share, counted }, counted }
  return {
    anomaly: [
      {
        type: 'unavailable',
        explanation: `${counted - bad.length} of ${counted} operations were acknowledged, a share of ${Number(share.toPrecision(4))}; at least ${atLeast} was promised; the first that was not is ${tell(first)}: ${first.error}.`,
        operations: bad.slice(0, 10).map(({ op_id: id }) => id),
      },
    ],
    evidence: { share, counted },
    counted,
  }
}

/** Only an operation that was still bad later than promised is certain: well for a short time may be well for good. */
function tooLate({ fault, ms, lastBad }: Recovery, withinMs: number): Anomaly[] {
  if (lastBad === null) return []
  const lateMs = (lastBad.invoke_ts - (fault.end as number)) / 1e6
  if (lateMs <= withinMs) return []
  const then =
    ms === null
      ? 'it was not steady before the run ended or the next fault began'
      : `it was steady ${Math.round(ms)} ms after the heal`
  return [
    {
      type: 'late-recovery',
      explanation: `${Math.round(lateMs)} ms after ${fault.name} (${fault.epoch}) was healed, ${tell(lastBad)} still ended with ${lastBad.error}; ${then}, at most ${withinMs} ms was promised.`,
      operations: [lastBad.op_id],
    },
  ]
}

function undecided({
  all,
  faults,
  share,
  withinMs,
}: {
  all: readonly Recovery[]
  faults: readonly FaultSpan[]
  share: Share | null
  withinMs: number | null
}): string | null {
  if (share !== null && share.counted === 0) return 'no operation is in the window: was there a fault?'
  if (withinMs === null) return null
  const cut = all.filter((recovery) => recovery.ms === null)
  if (cut.length > 0) {
    return `after ${cut.map(({ fault }) => fault.epoch).join(', ')} the run ended, or another fault began, before a steady stretch could be seen: let the workload go on longer`
  }
  return faults.length === 0 ? 'no fault is on record, so there was nothing to recover from' : null
}
