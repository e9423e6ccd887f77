import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { CheckInput } from '../checker.js'
import { valueKey, type ValueKey } from './value-key.js'

/** An element that was put in. */
export interface Put {
  readonly operation: Operation
  readonly value: ValueKey
  /** False when the outcome is unknown. */
  readonly acknowledged: boolean
}

/** An element that certainly came out. */
export interface Delivery {
  readonly operation: Operation
  readonly value: ValueKey
}

/** What is known of the queue of one key, in order of the history. */
export interface Queue {
  readonly key: string | number | null
  /** Those that happened or may have. */
  readonly puts: Put[]
  readonly failedPuts: Put[]
  readonly deliveries: Delivery[]
  /** Answers that the queue was empty, and drains. */
  readonly empties: Operation[]
  /** Takes that may have taken one element each, without saying which. */
  readonly unseen: Operation[]
  /** Drains without an answer: each may have taken any number of elements. */
  readonly unseenDrains: Operation[]
}

export interface QueueTraffic {
  readonly queues: readonly Queue[]
  /** What is in every queue at first. */
  readonly initial: readonly ValueKey[]
  /** Operations on queues, of all outcomes. */
  readonly count: number
}

const putting: ReadonlySet<string> = new Set(['enqueue', 'push', 'publish', 'send', 'offer', 'insert'])
const taking: ReadonlySet<string> = new Set([
  'dequeue',
  'pop',
  'poll',
  'receive',
  'consume',
  'deliver',
  'drain',
])
const saysEmpty = /\b(empty|exhausted)\b/i

/** True for operations that take elements out of a queue, `drain` included. */
export function isTake(type: string): boolean {
  return taking.has(type)
}

/**
 * Sorts the operations on queues by key: `enqueue`, `push`, `publish`, `send`, `offer` and `insert` put their input in;
 * `dequeue`, `pop`, `poll`, `receive`, `consume` and `deliver` answer the element that they took, or a list of them. Null,
 * an empty list, and a failure that says `empty` or `exhausted` are answers that the queue was empty. `drain` takes all
 * there is and answers the list, or null when it took nothing.
 */
export function queueTraffic({ operations, model }: Pick<CheckInput, 'operations' | 'model'>): QueueTraffic {
  const nullIsEmpty = model?.semantics.nullRead !== 'unknown'
  const init = model?.semantics.init
  const queues = new Map<Operation['key'], Queue>()
  const takes: Operation[] = []
  const putValues = new Set<ValueKey>()
  let count = 0
  for (const operation of operations) {
    const { op_type: type } = operation
    if (taking.has(type)) {
      if (answersFromLog(operation.output)) continue
      takes.push(operation)
    } else if (putting.has(type)) {
      const outcome = outcomeOf(operation)
      const value = valueKey(operation.input)
      putValues.add(value)
      const put = { operation, value, acknowledged: outcome === 'ok' }
      const queue = queueOf(queues, operation.key)
      ;(outcome === 'failed' ? queue.failedPuts : queue.puts).push(put)
    } else continue
    count += 1
  }
  for (const operation of takes) take(operation, queueOf(queues, operation.key), { nullIsEmpty, putValues })
  return {
    queues: [...queues.values()],
    initial: Array.isArray(init) ? init.map(valueKey) : [],
    count,
  }
}

/** Consumers of logs are called like those of queues, and answer where in the log they are. */
function answersFromLog(output: Json): boolean {
  return (
    typeof output === 'object' &&
    output !== null &&
    !Array.isArray(output) &&
    Array.isArray(output['records'])
  )
}

function take(
  operation: Operation,
  queue: Queue,
  { nullIsEmpty, putValues }: { nullIsEmpty: boolean; putValues: ReadonlySet<ValueKey> },
): void {
  const outcome = outcomeOf(operation)
  const isDrain = operation.op_type === 'drain'
  if (outcome === 'failed') {
    if (saysEmpty.test(operation.error ?? '')) queue.empties.push(operation)
    return
  }
  if (outcome === 'unknown') {
    ;(isDrain ? queue.unseenDrains : queue.unseen).push(operation)
    return
  }
  const { output } = operation
  if (output === null && !isDrain && !nullIsEmpty) {
    queue.unseen.push(operation)
    return
  }
  const taken = takenBy(output, putValues)
  for (const value of taken) queue.deliveries.push({ operation, value })
  if (isDrain || taken.length === 0) queue.empties.push(operation)
}

/** A list is one element when it was put in as such, else the list of the elements. */
function takenBy(output: Json, putValues: ReadonlySet<ValueKey>): readonly ValueKey[] {
  if (output === null) return []
  if (!Array.isArray(output)) return [valueKey(output)]
  const whole = valueKey(output)
  return putValues.has(whole) ? [whole] : output.map(valueKey)
}

function queueOf(queues: Map<Operation['key'], Queue>, key: Operation['key']): Queue {
  let queue = queues.get(key)
  if (queue === undefined) {
    queue = { key, puts: [], failedPuts: [], deliveries: [], empties: [], unseen: [], unseenDrains: [] }
    queues.set(key, queue)
  }
  return queue
}
