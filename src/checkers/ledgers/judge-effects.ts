import type { Operation } from '../../history/operation.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import type { Anomaly, CheckInput } from '../checker.js'
import type { Judgement } from '../define.js'
import { isTake, queueTraffic, type QueueTraffic } from '../queues/queue-traffic.js'
import type { ValueKey } from '../queues/value-key.js'
import { fieldOf } from '../field-of.js'
import { shown, tell } from '../words.js'
import { businessKey, deedsByAnswers } from './deeds-by-answers.js'
import { countsOf } from './deeds-by-effects.js'
import { deedsByQueue } from './deeds-by-queue.js'
import type { Deed, DeedsFound, Loss } from './deeds.js'

/** Operations of a deed that an anomaly names. */
const named = 10

interface Rules {
  readonly id: string | null
  readonly effect: string
  /** Whether the system was asked for its effects. */
  readonly isRead: boolean
  /** Whether more than one effect is a violation, and one of a deed that failed. */
  readonly isOnce: boolean
}

/** Counts the effects of each business key against its attempts. */
export function judgeEffects(input: CheckInput, { id, effect, isRead, isOnce }: Rules): Judgement {
  const traffic = trafficBy(input, id)
  const others = traffic.queues.length === 0 ? input.operations : withoutPuts(input.operations, traffic)
  const fifo = input.model?.name === 'queue'
  const found = [
    ...traffic.queues.map((queue) => deedsByQueue(queue, { fifo })),
    deedsByAnswers(others, { id, effect }),
  ]
  const counts = isRead ? countsOf(input.collected) : null
  const duplicated = new AnomalyList()
  const lost = new AnomalyList()
  const aborted = new AnomalyList()
  const sums = { deeds: 0, attempts: 0, effects: 0, pending: 0, doubtful: 0, sameAsOperation: 0 }
  const scopes = counts === null ? new Map<ValueKey, number>() : scopesOf(found)

  for (const { deeds, lost: losses, pending, doubtful } of found) {
    sums.pending += counts === null ? pending : 0
    sums.doubtful += counts === null ? doubtful : 0
    if (counts === null) for (const loss of losses) lost.add(() => lossAnomaly(loss))
    for (const deed of deeds) {
      const attempts = deed.acknowledged.length + deed.unknown.length + deed.failed.length
      if (attempts === 0) continue
      const effects = counts === null ? deed.effects.length : (counts.get(deed.id) ?? 0)
      sums.deeds += 1
      sums.attempts += attempts
      sums.effects += effects
      if (isOwnId(deed)) sums.sameAsOperation += 1
      const isFailed = deed.acknowledged.length + deed.unknown.length === 0
      if (counts !== null && effects === 0 && deed.acknowledged.length > 0) {
        lost.add(() => lossAnomaly({ deed, although: 'the system shows no effect of it', proof: [] }))
      }
      if (isFailed && effects > 0 && (scopes.get(deed.id) ?? 0) === 0) aborted.add(() => abortedAnomaly(deed))
      else if (effects > Math.max(1, counts === null ? 1 : (scopes.get(deed.id) ?? 1))) {
        duplicated.add(() => duplicateAnomaly(deed, effects))
      }
    }
  }
  const evidence = {
    keys: sums.deeds,
    attempts: sums.attempts,
    effects: sums.effects,
    duplicated: duplicated.count,
    lost: lost.count,
    ofFailed: aborted.count,
  }
  if (sums.deeds > 1 && sums.sameAsOperation === sums.deeds) {
    return { consumed: sums.attempts, anomalies: [], undecided: sameAsOperation, evidence }
  }
  return {
    consumed: sums.attempts,
    ...allOf(isOnce ? [duplicated, lost, aborted] : [lost]),
    undecided: undecidedBy({ ...sums, isOnce, isUnreadable: isRead && counts === null }),
    evidence,
  }
}

function isOwnId({ id, acknowledged, unknown, failed }: Deed): boolean {
  const isOwn = ({ op_id: own }: Operation) => own === id || String(own) === String(id)
  return acknowledged.every(isOwn) && unknown.every(isOwn) && failed.every(isOwn)
}

const sameAsOperation =
  'every business key equals the id of its operation, which a retry does not share: such keys prove nothing; record the key by which the system itself knows repeats'

function withoutPuts(operations: readonly Operation[], { queues }: QueueTraffic): readonly Operation[] {
  const puts = new Set<Operation['op_id']>()
  for (const queue of queues) {
    for (const { operation } of queue.puts) puts.add(operation.op_id)
    for (const { operation } of queue.failedPuts) puts.add(operation.op_id)
  }
  return operations.filter(({ op_id: id, op_type: type }) => !isTake(type) && !puts.has(id))
}

/** How many kinds of deeds that happened or may have share a business key, such as the two sides of a booking. */
function scopesOf(found: readonly DeedsFound[]): ReadonlyMap<ValueKey, number> {
  const scopes = new Map<ValueKey, number>()
  for (const { deeds } of found) {
    for (const { id, acknowledged, unknown } of deeds) {
      if (acknowledged.length + unknown.length > 0) scopes.set(id, (scopes.get(id) ?? 0) + 1)
    }
  }
  return scopes
}

/** What goes through queues, by business key where one is declared. Where nothing is taken out there is no queue. */
function trafficBy({ operations, model }: CheckInput, id: string | null): QueueTraffic {
  const isQueue = operations.some(({ op_type: type }) => isTake(type))
  const hasKeys = id === null || operations.some(({ input }) => businessKey(input, id) !== undefined)
  if (!isQueue || !hasKeys) return { ...queueTraffic({ operations: [], model }), queues: [] }
  const byKey = (value: Operation['input']) => fieldOf(value, id ?? '') ?? value
  const seen =
    id === null
      ? operations
      : operations.map((one) => ({ ...one, input: byKey(one.input), output: byKey(one.output) }))
  return queueTraffic({ operations: seen, model })
}

function undecidedBy({
  deeds,
  pending,
  doubtful,
  isOnce,
  isUnreadable,
}: {
  deeds: number
  pending: number
  doubtful: number
  isOnce: boolean
  isUnreadable: boolean
}): string | null {
  if (isUnreadable) return '`effects` did not answer with a list of business keys'
  if (deeds === 0)
    return "no operation has a business key in its input; say where it is, such as { id: 'payment_id' }"
  if (pending > 0) {
    return `${pending} acknowledged elements did not come out, and nothing shows that they are not in the queue still; take until the queue answers that it is empty`
  }
  if (isOnce && doubtful > 0) {
    return `of ${doubtful} keys with several attempts the answers do not tell how many effects there were; read them with \`effects\`, or say where an answer tells its effect`
  }
  return null
}

function lossAnomaly({ deed, although, proof }: Loss): Anomaly {
  const [attempt] = deed.acknowledged
  return {
    type: 'lost-effect',
    explanation: `${tell(attempt!)} was acknowledged and its effect was never seen, although ${although}.`,
    operations: idsOf([...deed.acknowledged.slice(0, named), ...proof]),
  }
}

function duplicateAnomaly({ id, acknowledged, unknown, effects }: Deed, count: number): Anomaly {
  const shownBy = effects.length > 1 ? `: ${effects.slice(0, named).map(tell).join(' and ')}` : ''
  return {
    type: 'duplicated-effect',
    explanation: `${shown(id)} took effect ${count} times${shownBy}.`,
    operations: idsOf([...[...acknowledged, ...unknown].slice(0, named), ...effects.slice(0, named)]),
  }
}

function abortedAnomaly({ id, failed, effects }: Deed): Anomaly {
  return {
    type: 'effect-of-failed',
    explanation: `${shown(id)} took effect although every attempt failed, such as ${tell(failed[0]!)} (was that a timeout?).`,
    operations: idsOf([...failed.slice(0, named), ...effects.slice(0, 1)]),
  }
}

function idsOf(operations: readonly Operation[]): Operation['op_id'][] {
  return [...new Set(operations)].toSorted((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: id }) => id)
}
