import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker, CheckResult } from '../checker.js'
import { defineChecker } from '../define.js'
import { grouped } from '../grouped.js'
import { inMilliseconds, percentileOf, sortedLatencies } from './latencies.js'

export interface FairnessOptions {
  /** What is to be treated fairly: the operations of a key, a node, a process, a type, or a group of your own. Default `key`. */
  groupBy?: 'key' | 'node' | 'process' | 'type' | ((operation: Operation) => string | null)
  /** The percentile of the worst group over that of all operations together, at most. */
  worstToAggregate?: { percentile: number; atMost: number }
  /** Acknowledged operations a second of the group with the fewest, at least. */
  minThroughput?: number
  /** The share of failed and unanswered operations of the worst group, at most. */
  maxErrorRate?: number
  /** Over the runs: the largest of a group's percentiles over its smallest, at most. */
  spread?: { percentile: number; atMost: number }
}

const ratio = z.strictObject({ percentile: z.number().gt(0).max(100), atMost: z.number().positive() })
const schema = z
  .strictObject({
    groupBy: z
      .union([
        z.enum(['key', 'node', 'process', 'type']),
        z.custom<unknown>((value) => typeof value === 'function'),
      ])
      .optional(),
    worstToAggregate: ratio.optional(),
    minThroughput: z.number().nonnegative().optional(),
    maxErrorRate: z.number().min(0).max(1).optional(),
    spread: ratio.optional(),
  })
  .refine(
    ({ worstToAggregate, minThroughput, maxErrorRate, spread }) =>
      [worstToAggregate, minThroughput, maxErrorRate, spread].some((formula) => formula !== undefined),
    'expected at least one formula: worstToAggregate, minThroughput, maxErrorRate or spread',
  )

/** What was measured of one group. */
interface Group {
  readonly name: string
  readonly operations: readonly Operation[]
  readonly sorted: Float64Array
}

const groupOf: Readonly<Record<string, (operation: Operation) => string | null>> = {
  key: ({ key }) => (key === null ? null : String(key)),
  node: ({ node_seen: node }) => node,
  process: ({ process_id: process }) => String(process),
  type: ({ op_type: type }) => type,
}

/**
 * Every group gets its share: formulas over groups of operations, never over the aggregate alone.
 *
 * An operation without an answer counts as infinitely slow. Operations of no group (null) are left out; fewer than two
 * groups cannot be compared. Throws DeclarationError when the options are wrong.
 */
export function fairness(options: FairnessOptions): Checker {
  checkedOptions(options, {
    checker: 'fairness',
    factory: 'fairness',
    schema,
    example: "fairness({ groupBy: 'key', worstToAggregate: { percentile: 99, atMost: 2 } })",
  })
  const { groupBy = 'key', spread } = options
  const nameOf =
    typeof groupBy === 'function' ? groupBy : (groupOf[groupBy] as (operation: Operation) => string | null)
  return defineChecker({
    name: 'fairness',
    pattern: 14,
    options,
    needs: ['invoke_ts', 'complete_ts', 'timeout_marker'],
    scope: ['unfairness inside a group', 'groups to which no operation was sent'],
    judge: ({ operations }) => {
      const groups = groupsOf(operations, nameOf)
      const consumed = groups.reduce((sum, group) => sum + group.operations.length, 0)
      return {
        consumed,
        anomalies: groups.length < 2 ? [] : unfair(groups, options),
        undecided:
          groups.length < 2
            ? `there ${groups.length === 1 ? 'is one group' : 'are no groups'}; it takes two to compare`
            : null,
        evidence: { groups: groups.length, ...spreadEvidence(groups, spread) },
      }
    },
    ...(spread === undefined ? {} : { acrossRuns: (results) => judgeSpread(results, spread) }),
  })
}

function groupsOf(
  operations: readonly Operation[],
  nameOf: (operation: Operation) => string | null,
): Group[] {
  return [...grouped(operations, nameOf)].flatMap(([name, own]) =>
    name === null ? [] : [{ name, operations: own, sorted: sortedLatencies(own) }],
  )
}

function unfair(
  groups: readonly Group[],
  { worstToAggregate, minThroughput, maxErrorRate }: FairnessOptions,
): Anomaly[] {
  return [
    ...(worstToAggregate === undefined ? [] : slowest(groups, worstToAggregate)),
    ...(minThroughput === undefined ? [] : starved(groups, minThroughput)),
    ...(maxErrorRate === undefined ? [] : refused(groups, maxErrorRate)),
  ]
}

function slowest(
  groups: readonly Group[],
  { percentile, atMost }: { percentile: number; atMost: number },
): Anomaly[] {
  const all = sortedLatencies(groups.flatMap(({ operations }) => operations))
  const aggregate = percentileOf(all, percentile)
  const { group, value } = worst(groups, ({ sorted }) => percentileOf(sorted, percentile))
  // Without an answer at the percentile of all, no group can be told to be worse.
  if (aggregate === Infinity || value <= atMost * aggregate) return []
  return [
    {
      type: 'slow-group',
      explanation: `p${percentile} of ${JSON.stringify(group.name)} is ${inMilliseconds(value)}, that of all groups together ${inMilliseconds(aggregate)}; at most ${atMost} times as much is fair.`,
      operations: shownOf(group),
    },
  ]
}

function starved(groups: readonly Group[], atLeast: number): Anomaly[] {
  const seconds = secondsOf(groups)
  const { group, value } = worst(groups, ({ operations }) => -answered(operations) / seconds)
  if (-value >= atLeast) return []
  return [
    {
      type: 'starved-group',
      explanation: `${JSON.stringify(group.name)} had ${answered(group.operations)} acknowledged operations in ${Number(seconds.toPrecision(4))} s; at least ${atLeast} a second is fair.`,
      operations: shownOf(group),
    },
  ]
}

function refused(groups: readonly Group[], atMost: number): Anomaly[] {
  const rate = ({ operations }: Group) => 1 - answered(operations) / operations.length
  const { group, value } = worst(groups, rate)
  if (value <= atMost) return []
  return [
    {
      type: 'refused-group',
      explanation: `${group.operations.length - answered(group.operations)} of ${group.operations.length} operations of ${JSON.stringify(group.name)} failed or were not answered; a share of at most ${atMost} is fair.`,
      operations: shownOf(group),
    },
  ]
}

function worst(groups: readonly Group[], badness: (group: Group) => number): { group: Group; value: number } {
  const [first, ...others] = groups.map((group) => ({ group, value: badness(group) }))
  return others.reduce(
    (most, one) => (one.value > most.value ? one : most),
    first as { group: Group; value: number },
  )
}

function answered(operations: readonly Operation[]): number {
  return operations.filter((operation) => outcomeOf(operation) === 'ok').length
}

function secondsOf(groups: readonly Group[]): number {
  let [begin, end] = [Infinity, -Infinity]
  for (const { operations } of groups) {
    for (const { invoke_ts, complete_ts } of operations) {
      begin = Math.min(begin, invoke_ts)
      end = Math.max(end, complete_ts ?? invoke_ts)
    }
  }
  return Math.max(end - begin, 1) / 1e9
}

/** A few operations of the group, the slowest ones. */
function shownOf({ operations, sorted }: Group): Operation['op_id'][] {
  const few = 5
  const slow = sorted[Math.max(0, sorted.length - few)] ?? 0
  return operations
    .filter(({ invoke_ts, complete_ts }) => complete_ts === null || (complete_ts - invoke_ts) / 1e6 >= slow)
    .slice(0, few)
    .map(({ op_id: id }) => id)
}

const spreadKey = 'percentile of '

function spreadEvidence(groups: readonly Group[], spread: FairnessOptions['spread']): Record<string, number> {
  if (spread === undefined) return {}
  return Object.fromEntries(
    groups.flatMap(({ name, sorted }) => {
      const value = percentileOf(sorted, spread.percentile)
      return value === Infinity ? [] : [[spreadKey + name, value]]
    }),
  )
}

function judgeSpread(
  results: readonly CheckResult[],
  { percentile, atMost }: { percentile: number; atMost: number },
): CheckResult {
  const measured = new Map<string, number[]>()
  for (const [key, value] of results.flatMap(({ evidence }) => Object.entries(evidence))) {
    if (key.startsWith(spreadKey)) measured.set(key, [...(measured.get(key) ?? []), value])
  }
  const anomalies = [...measured].flatMap(([key, values]): Anomaly[] => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    if (most <= atMost * least) return []
    const name = JSON.stringify(key.slice(spreadKey.length))
    return [
      {
        type: 'unsteady-group',
        explanation: `p${percentile} of ${name} lies between ${inMilliseconds(least)} and ${inMilliseconds(most)} over ${values.length} runs; at most ${atMost} times as much is steady.`,
        operations: [],
      },
    ]
  })
  const repeated = [...measured.values()].filter((values) => values.length > 1).length
  const [first] = results
  return {
    checker: 'fairness',
    model: first?.model ?? null,
    valid: anomalies.length > 0 ? false : repeated > 0 || 'unknown',
    reason: anomalies.length > 0 || repeated > 0 ? null : 'a spread between repeats needs two seeds or more',
    operations: results.reduce((sum, { operations }) => sum + operations, 0),
    coverage: 'all',
    evidence: { runs: results.length, groups: measured.size },
    anomalies,
    scope: [...(first?.scope ?? [])],
    ms: 0,
  }
}
