import { z } from 'zod'
import type { Json } from '../../json.js'
import { allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker, CheckInput } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { PartValueIds } from '../linearizability/encode-values.js'
import { finalReadsSchema, readFinals, type Final, type FinalRead } from '../no-lost-ack/final-reads.js'
import { tell } from '../words.js'
import { FinalFindings, type FinalReading } from './final-judge.js'
import { listIn, setHistoryOf, type SetRead } from './set-operations.js'

export interface FinalSetOptions<Client> {
  /**
   * Reads all elements of the set of one key through one client at quiescence, once for every key that the workload used
   * and every node; each node must hold them all. Default: the read of the history that began last.
   */
  readonly final?: Final<Client>
}

const optionsSchema = z.strictObject({
  final: z.custom<unknown>((value) => typeof value === 'function', 'expected a function').optional(),
})

/**
 * At the end the set holds every acknowledged element, and nothing that no operation may have added.
 *
 * An element must be in the final read when an acknowledged add of it began after every removal that may have happened
 * had returned, and must not be when no add may have happened, or an acknowledged removal began after all of them had
 * returned. Adds of unknown outcome may be there (`recovered`) or not. The answer is unknown when a set was never read,
 * when an acknowledged element is missing whose add had not returned as the read began, and when none was acknowledged.
 * Throws DeclarationError when the options are wrong.
 */
export function finalSet<Client = unknown>(options: FinalSetOptions<Client> = {}): Checker<Client> {
  checkedOptions(options, {
    checker: 'set',
    factory: 'finalSet',
    schema: optionsSchema,
    example:
      'finalSet({ final: ({ client, key }) => client.members(key) }), or finalSet() for the last recorded read',
  })
  const { final } = options
  return defineChecker<Client>({
    name: 'set',
    pattern: 10,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'what happened before the final read: elements that were missing for a while',
      'elements that were lost and added again, or that the final read lists twice',
      'whether the answers of adds and removals were true',
    ],
    ...(final === undefined ? {} : { collect: (context) => readFinals(context, final) }),
    judge: (input) => judge(input, { collects: final !== undefined }),
  })
}

function judge({ operations, model, collected }: CheckInput, { collects }: { collects: boolean }): Judgement {
  const { sets, initial, count } = setHistoryOf(operations, model)
  const finals = collects ? (finalReadsSchema.safeParse(collected).data ?? []) : []
  const collectedOf = collectedReadings(finals, initial)
  const ids = new PartValueIds()
  const findings = new FinalFindings()
  let unread = 0
  let finalReads = 0
  for (const set of sets) {
    const readings = collects ? (collectedOf.get(set.key) ?? []) : lastOf(set.reads)
    finalReads += readings.length
    if (readings.length === 0) unread += 1
    else findings.note(set, { initial, readings, ids })
  }
  const failedReads = collects ? finals.length - finalReads : 0
  const { lost, unexpected, removed, attempted, acknowledged, ok, recovered, undecided } = findings
  return {
    consumed: count,
    ...allOf([lost, unexpected, removed]),
    undecided: undecidedBecause({ unread, failedReads, acknowledged, undecided, sets: sets.length }),
    evidence: {
      ...{ sets: sets.length, finalReads, failedReads, attempted, acknowledged, ok },
      ...{ lost: lost.count, unexpected: unexpected.count, removed: removed.count, recovered },
    },
  }
}

function undecidedBecause(counts: {
  readonly unread: number
  readonly failedReads: number
  readonly acknowledged: number
  readonly undecided: number
  readonly sets: number
}): string | null {
  const { unread, failedReads, acknowledged, undecided, sets } = counts
  if (failedReads > 0) return `${failedReads} final reads failed or answered with no list`
  if (unread > 0) return `${unread} of ${sets} sets were never read: read each one at the end`
  if (sets > 0 && acknowledged === 0) return 'no add was acknowledged, so no element could be lost'
  if (undecided === 0) return null
  return `${undecided} acknowledged elements are missing whose add had not returned when the last read began: read again at the end`
}

function lastOf(reads: readonly SetRead[]): FinalReading[] {
  let last: SetRead | undefined
  for (const read of reads) {
    if (last === undefined || read.operation.invoke_ts >= last.operation.invoke_ts) last = read
  }
  if (last === undefined) return []
  const { operation, elements } = last
  const { invoke_ts: invoked, op_id: id } = operation
  return [
    {
      invoked,
      completed: operation.complete_ts ?? Infinity,
      elements,
      told: `the last read, ${tell(operation)},`,
      id,
    },
  ]
}

/** Final reads by key, without those that failed. They are made when nothing is in flight any more. */
function collectedReadings(
  finals: readonly FinalRead[],
  initial: readonly Json[],
): Map<FinalRead['key'], FinalReading[]> {
  const readings = new Map<FinalRead['key'], FinalReading[]>()
  for (const { key, node, value, error } of finals) {
    const elements = value === null ? initial : listIn(value)
    if (error !== null || elements === null) continue
    const told = `the final read at ${node}`
    const reading = { invoked: Infinity, completed: Infinity, elements, told, id: null }
    const others = readings.get(key)
    if (others === undefined) readings.set(key, [reading])
    else others.push(reading)
  }
  return readings
}
