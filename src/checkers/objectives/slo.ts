import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { milliseconds, perSecond, type Duration, type Rate } from '../../time/duration.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { tell } from '../words.js'
import { inMilliseconds, latencyMs, percentileOf, sortedLatencies } from './latencies.js'
import { inWindow, windows, type Window } from './windows.js'

export interface SloOptions {
  /** The longest latency that the percentile may have. */
  latency?: { percentile: number; atMost: Duration }
  /** The fewest acknowledged operations a second. */
  throughput?: { atLeast: Rate }
  /** The largest share of operations that failed or were not answered, from 0 to 1. */
  errors?: { atMost: number }
  /** Only operations of these types. Default: all. */
  types?: readonly string[]
  /** Only operations during faults, before the first one, or after the last one. Default `all`. */
  window?: Window
}

const durationSchema = z.union([z.number().nonnegative(), z.string()])
const schema = z
  .strictObject({
    latency: z.strictObject({ percentile: z.number().gt(0).max(100), atMost: durationSchema }).optional(),
    throughput: z.strictObject({ atLeast: z.union([z.number().positive(), z.string()]) }).optional(),
    errors: z.strictObject({ atMost: z.number().min(0).max(1) }).optional(),
    types: z.array(z.string().min(1)).optional(),
    window: z.enum(windows).optional(),
  })
  .refine(
    ({ latency, throughput, errors }) => latency ?? throughput ?? errors,
    'expected latency, throughput or errors',
  )

/** What one objective found. */
interface Measured {
  readonly anomaly: Anomaly | null
  readonly evidence: Readonly<Record<string, number>>
}

/**
 * Service level objectives whose thresholds are set before the run: a percentile of latency, throughput, and the share of
 * errors. An operation without an answer counts as infinitely slow and as an error. Latency is counted from the
 * invocation. Throws DeclarationError when the options are wrong.
 */
export function slo(options: SloOptions): Checker {
  const { types, window = 'all' } = checkedOptions(options, {
    checker: 'slo',
    factory: 'slo',
    schema,
    example: "slo({ latency: { percentile: 99, atMost: '500ms' }, window: 'fault' })",
  })
  const objectives = objectivesOf(options)
  return defineChecker({
    name: 'slo',
    pattern: 4,
    options,
    needs: ['invoke_ts', 'complete_ts', 'timeout_marker'],
    scope: [
      'whether the answers are right',
      'waiting before the invocation, when clients are too slow for the rate',
    ],
    judge: ({ operations, faults }) => {
      const chosen = inWindow(operations, window, faults).filter(
        ({ op_type: type }) => types === undefined || types.includes(type),
      )
      const measured = chosen.length === 0 ? [] : objectives.map((measure) => measure(chosen))
      return {
        consumed: chosen.length,
        anomalies: measured.flatMap(({ anomaly }) => anomaly ?? []),
        undecided: chosen.length > 0 ? null : nothingIn(window),
        evidence: Object.assign({ measured: chosen.length }, ...measured.map(({ evidence }) => evidence)),
      }
    },
  })
}

function nothingIn(window: Window): string | null {
  return window === 'all'
    ? null
    : `no operation is in the window ${JSON.stringify(window)}: was there a fault?`
}

type Objective = (operations: readonly Operation[]) => Measured

function objectivesOf({ latency, throughput, errors }: SloOptions): readonly Objective[] {
  return [
    ...(latency === undefined
      ? []
      : [latencyObjective(latency.percentile, milliseconds(latency.atMost, 'slo.latency.atMost'))]),
    ...(throughput === undefined
      ? []
      : [throughputObjective(perSecond(throughput.atLeast, 'slo.throughput.atLeast'))]),
    ...(errors === undefined ? [] : [errorObjective(errors.atMost)]),
  ]
}

function latencyObjective(percentile: number, atMost: number): Objective {
  return (operations) => {
    const value = percentileOf(sortedLatencies(operations), percentile)
    const name = `p${percentile}`
    // JSON has no Infinity, and evidence is recorded as JSON.
    const evidence = value === Infinity ? {} : { [`${name}Ms`]: value }
    if (value <= atMost) return { anomaly: null, evidence }
    const slow = operations.filter((operation) => latencyMs(operation) > atMost)
    const [first] = slow
    return {
      anomaly: {
        type: 'latency-objective-missed',
        explanation:
          `${name} of ${operations.length} operations is ${inMilliseconds(value)}, at most ${atMost} ms was promised; ` +
          `${slow.length} were slower${first ? `, the first ${tell(first)}` : ''}.`,
        operations: slow.slice(0, 10).map(({ op_id: id }) => id),
      },
      evidence,
    }
  }
}

function throughputObjective(atLeast: number): Objective {
  return (operations) => {
    const [begin, end] = operations.reduce(
      ([least, most], { invoke_ts, complete_ts }) => [
        Math.min(least, invoke_ts),
        Math.max(most, complete_ts ?? invoke_ts),
      ],
      [Infinity, -Infinity],
    )
    const answered = operations.filter((operation) => outcomeOf(operation) === 'ok').length
    const seconds = Math.max(end - begin, 1) / 1e9
    const perSecondReached = answered / seconds
    return {
      evidence: { perSecond: perSecondReached },
      anomaly:
        perSecondReached >= atLeast
          ? null
          : {
              type: 'throughput-objective-missed',
              explanation: `${answered} acknowledged operations in ${Number(seconds.toPrecision(4))} s are ${Number(perSecondReached.toPrecision(4))} a second, at least ${atLeast} were promised.`,
              operations: [],
            },
    }
  }
}

function errorObjective(atMost: number): Objective {
  return (operations) => {
    const wrong = operations.filter((operation) => outcomeOf(operation) !== 'ok')
    const share = wrong.length / operations.length
    const [first] = wrong
    return {
      evidence: { errorShare: share },
      anomaly:
        share <= atMost || first === undefined
          ? null
          : {
              type: 'error-objective-missed',
              explanation: `${wrong.length} of ${operations.length} operations failed or were not answered, at most ${atMost * 100}% was promised; the first is ${tell(first)}: ${first.error}.`,
              operations: wrong.slice(0, 10).map(({ op_id: id }) => id),
            },
    }
  }
}
