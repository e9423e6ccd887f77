import type { Operation } from '../../history/operation.js'
import type { Queue } from '../queues/queue-traffic.js'
import type { ValueKey } from '../queues/value-key.js'
import { tell } from '../words.js'
import { Deed, type DeedsFound, type Loss } from './deeds.js'

/**
 * Deeds that are done when an element comes out of a queue: every operation that puts the same element in is an attempt at
 * one deed, and every delivery of it an effect.
 *
 * An acknowledged element that did not come out is lost when the queue was found empty after it had been put in, or, when
 * the queue is first in, first out, when an element came out whose every put began later. Takes that do not say what they
 * took may each have taken one of them.
 */
export function deedsByQueue(queue: Queue, { fifo }: { fifo: boolean }): DeedsFound {
  const deeds = new Map<ValueKey, Deed>()
  const deedOf = (id: ValueKey): Deed => {
    let deed = deeds.get(id)
    if (deed === undefined) {
      deed = new Deed(id)
      deeds.set(id, deed)
    }
    return deed
  }
  for (const { operation, value, acknowledged } of queue.puts) {
    deedOf(value).note(acknowledged ? 'acknowledged' : 'unknown', operation)
  }
  for (const { operation, value } of queue.failedPuts) deedOf(value).note('failed', operation)
  for (const { operation, value } of queue.deliveries) deedOf(value).note('effects', operation)

  const all = [...deeds.values()]
  const missing = all.filter((deed) => deed.acknowledged.length > 0 && deed.effects.length === 0)
  if (missing.length === 0) return { deeds: all, lost: [], pending: 0, doubtful: 0 }
  const empty = queue.empties.reduce<Operation | null>(
    (last, one) => (last === null || one.invoke_ts > last.invoke_ts ? one : last),
    null,
  )
  const passing = fifo ? lastToPass(all) : null
  const lost = missing.flatMap((deed): Loss[] => {
    // The effect may come of any of its attempts, also of the one that was put in last.
    const inQueue = deed.acknowledged.reduce((last, { complete_ts: at }) => Math.max(last, at ?? last), 0)
    if (empty !== null && inQueue < empty.invoke_ts) {
      return [{ deed, although: `${tell(empty)} found the queue empty after that`, proof: [empty] }]
    }
    if (passing === null || inQueue >= passing.from) return []
    const although = `${tell(passing.delivery)} took an element that was put in later, and the queue is first in, first out`
    return [{ deed, although, proof: [passing.put, passing.delivery] }]
  })
  const mayHaveTaken = queue.unseenDrains.length > 0 ? Infinity : queue.unseen.length
  const isSure = lost.length > mayHaveTaken
  return {
    deeds: all,
    lost: isSure ? lost : [],
    pending: isSure ? 0 : missing.length,
    doubtful: 0,
  }
}

interface Passing {
  readonly from: number
  readonly put: Operation
  readonly delivery: Operation
}

/** Of the elements that came out the one whose first put began last. */
function lastToPass(deeds: readonly Deed[]): Passing | null {
  let last: Passing | null = null
  for (const { acknowledged, unknown, effects } of deeds) {
    const [delivery] = effects
    if (delivery === undefined) continue
    const put = earlier(earliest(acknowledged), earliest(unknown))
    if (put !== null && (last === null || put.invoke_ts > last.from)) {
      last = { from: put.invoke_ts, put, delivery }
    }
  }
  return last
}

function earliest(operations: readonly Operation[]): Operation | null {
  return operations.reduce<Operation | null>(earlier, null)
}

function earlier(one: Operation | null, other: Operation | null): Operation | null {
  if (one === null || other === null) return one ?? other
  return other.invoke_ts < one.invoke_ts ? other : one
}
