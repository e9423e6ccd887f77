import type { Operation } from '../../history/operation.js'
import { canonical } from '../../models/canonical.js'
import type { Anomaly, Checker, CheckInput, CheckResult } from '../checker.js'
import { misfitOf } from '../picker.js'
import { judgeCollection, removalsOf } from './collection-judge.js'
import { finalReadsSchema, readFinals, type FinalRead } from './final-reads.js'
import { readOptions, type NoLostAckOptions } from './options.js'
import { judgeRegister } from './register-judge.js'
import { writesOf, type Write, type WriteTypes } from './writes.js'

const name = 'no-lost-ack'

const scope = [
  'what happened before the end: a write that was lost and written again, or a stale read on the way',
  'duplicates, and the order of elements',
  'replicas that differ where each of the values could be the last one written',
  'orders that only reads or compare-and-set exclude: overlapping writes may each be the last',
]

interface Judgement {
  readonly anomalies: Anomaly[]
  readonly lost: Set<Operation>
  undecided: number
}

/**
 * No acknowledged write is lost: at quiescence every one is there, or something that may have replaced it.
 *
 * An answer of `final` that is a list is taken for the elements of a set, queue or log: each acknowledged element must
 * be among them. Any other answer is the value of a register: it must be one that a legal order of the writes could
 * leave (see `judgeRegister`). A write of unknown outcome is neither acknowledged nor rejected: its value may be there
 * or not. Values that nobody wrote are anomalies of their own. Final reads that failed make the answer `unknown`
 * unless the others show a loss. Throws DeclarationError when the options are wrong.
 */
export function noLostAck<Client = unknown>(options: NoLostAckOptions<Client>): Checker<Client> {
  const { final, from, types } = readOptions(options)
  return {
    name,
    pattern: 10,
    usesModel: false,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope,
    misfit: (model, categories) => misfitOf(name, { model, categories }),
    collect: (context) => readFinals(context, final),
    check: async (input) => judge(input, { from, types }),
  }
}

function judge(input: CheckInput, { from, types }: { from: 'each' | 'any'; types: WriteTypes }): CheckResult {
  const startedAt = performance.now()
  const parsed = finalReadsSchema.safeParse(input.collected)
  const finals = parsed.success ? parsed.data : []
  const answered = finals.filter(({ error }) => error === null)
  const isCollection = answered.some(({ value }) => Array.isArray(value))
  const touching = input.operations.filter(
    ({ op_type: type }) => types.writes.has(type) || types.removes.has(type),
  )
  const operationsOf = groupBy(touching, ({ key }) => key)
  const judgement: Judgement = { anomalies: [], lost: new Set(), undecided: 0 }
  const outcomes = { ok: 0, failed: 0, unknown: 0 }
  const keysRead = groupBy(answered, ({ key }) => key)

  for (const operations of operationsOf.values()) {
    for (const { outcome } of writesOf(operations, { types, removesWriteNull: !isCollection }))
      outcomes[outcome] += 1
  }
  for (const [key, reads] of keysRead) {
    const operations = operationsOf.get(key) ?? []
    const writes = writesOf(operations, { types, removesWriteNull: !isCollection })
    const keyName = key === null ? null : `key ${JSON.stringify(key)} `
    if (isCollection) {
      const removals = removalsOf(operations, types)
      add(
        judgement,
        judgeCollection(reads, { writes, removals, from, key: keyName === null ? '' : `under ${keyName}` }),
      )
    } else {
      const initial = canonical(input.model?.semantics.init ?? null)
      add(
        judgement,
        judgeValues(reads, { writes, initial, from, key: keyName === null ? '' : `of ${keyName}` }),
      )
    }
  }

  return {
    checker: name,
    model: input.model?.name ?? null,
    ...verdictOf({ judgement, finals, acknowledged: outcomes.ok }),
    operations: touching.length,
    coverage: 'all',
    evidence: {
      acknowledged: outcomes.ok,
      unknown: outcomes.unknown,
      failed: outcomes.failed,
      lost: judgement.lost.size,
      keysRead: keysRead.size,
      finalReads: answered.length,
      failedReads: finals.length - answered.length,
    },
    anomalies: judgement.anomalies,
    scope: [...scope],
    ms: performance.now() - startedAt,
  }
}

/** Judges each distinct answer once; nodes that gave the same one are named together. */
function judgeValues(
  reads: readonly FinalRead[],
  { from, ...writes }: { writes: readonly Write[]; initial: string; from: 'each' | 'any'; key: string },
): { lost: readonly Write[]; anomalies: readonly Anomaly[]; undecided: number } {
  const answers = groupBy(
    reads.map((read) => ({ ...read, text: canonical(read.value) })),
    ({ text }) => text,
  )
  const findings = [...answers.values()].flatMap((same) => {
    const [first] = same
    return first ? [judgeRegister({ ...first, node: same.map(({ node }) => node).join(', ') }, writes)] : []
  })
  if (from === 'any' && findings.some(({ anomaly }) => anomaly === null)) {
    return { lost: [], anomalies: [], undecided: 0 }
  }
  return {
    lost: findings.flatMap(({ lost }) => lost),
    anomalies: findings.flatMap(({ anomaly }) => (anomaly ? [anomaly] : [])),
    undecided: 0,
  }
}

function add(
  judgement: Judgement,
  found: { lost: readonly Write[]; anomalies: readonly Anomaly[]; undecided: number },
): void {
  judgement.anomalies.push(...found.anomalies)
  for (const { operation } of found.lost) judgement.lost.add(operation)
  judgement.undecided += found.undecided
}

function verdictOf({
  judgement,
  finals,
  acknowledged,
}: {
  judgement: Judgement
  finals: readonly FinalRead[]
  acknowledged: number
}): Pick<CheckResult, 'valid' | 'reason'> {
  if (judgement.anomalies.length > 0) return { valid: false, reason: null }
  const unknown = (reason: string) => ({ valid: 'unknown' as const, reason })
  if (finals.length === 0)
    return unknown('there are no final reads: they are made when the system is quiescent')
  const failed = finals.filter(({ error }) => error !== null)
  if (failed.length > 0) {
    const [{ key, node, error }] = failed as [FinalRead]
    const first = `${key === null ? '' : `key ${JSON.stringify(key)} `}on ${node}: ${error}`
    return unknown(`${failed.length} of ${finals.length} final reads failed, the first ${first}`)
  }
  if (acknowledged === 0) return unknown('no write was acknowledged, so none could be lost')
  if (judgement.undecided > 0) {
    const missing = `${judgement.undecided} acknowledged elements are missing`
    return unknown(`${missing}, and removals of unknown outcome may have taken them`)
  }
  return { valid: true, reason: null }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
