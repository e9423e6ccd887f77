import type { Operation } from '../../history/operation.js'
import type { Queue } from '../queues/queue-traffic.js'
import type { ValueKey } from '../queues/value-key.js'
import { tell } from '../words.js'
import { deedOf, type Deed, type DeedsFound, type Loss } from './deeds.js'

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
  for (const { operation, value, acknowledged } of queue.puts) {
    const deed = deedOf(deeds, value)
    ;(acknowledged ? deed.acknowledged : deed.unknown).push(operation)
  }
  for (const { operation, value } of queue.failedPuts) deedOf(deeds, value).failed.push(operation)
  for (const { operation, value } of queue.deliveries) deedOf(deeds, value).effects.push(operation)

  const all = [...deeds.values()]
  const missing = all.filter((deed) => deed.acknowledged.length > 0 && deed.effects.length === 0)
  if (missing.length === 0) return { deeds: all, lost: [], pending: 0, doubtful: 0 }
  const empty = latest(queue.empties, ({ invoke_ts: at }) => at)
  const passing = fifo ? lastToPass(all) : null
  const lost = missing.flatMap((deed): Loss[] => {
    const inQueue = Math.min(...deed.acknowledged.map(({ complete_ts: at }) => at ?? Infinity))
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
    const put = latest([...acknowledged, ...unknown], ({ invoke_ts: at }) => -at)
    if (delivery === undefined || put === null) continue
    if (last === null || put.invoke_ts > last.from) last = { from: put.invoke_ts, put, delivery }
  }
  return last
}

function latest(operations: readonly Operation[], at: (operation: Operation) => number): Operation | null {
  return operations.reduce<Operation | null>(
    (last, one) => (last === null || at(one) > at(last) ? one : last),
    null,
  )
}
