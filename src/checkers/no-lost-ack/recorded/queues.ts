import { AnomalyList, allOf } from '../../anomaly-list.js'
import type { CheckInput } from '../../checker.js'
import type { Judgement } from '../../define.js'
import { accountsOf } from '../../queues/accounts.js'
import { isLoss, lossAnomaly, lossesOf, undecidedLosses, type Losses } from '../../queues/losses.js'
import { queueTraffic } from '../../queues/queue-traffic.js'

/**
 * Judges queues by what came out of them: an acknowledged element that did not is lost when the queue was drained, or,
 * when the model is first in, first out, when a later element came out.
 */
export function judgeRecordedQueues(input: CheckInput, { drained }: { drained: boolean }): Judgement {
  const { queues, initial, count } = queueTraffic(input)
  const lost = new AnomalyList()
  const open: Losses[] = []
  const counts = { acknowledged: 0, unknown: 0, failed: 0, delivered: 0 }
  for (const queue of queues) {
    const losses = lossesOf(queue, accountsOf(queue, initial), {
      drained,
      fifo: input.model?.name === 'queue',
    })
    if (isLoss(losses)) for (const put of losses.due) lost.add(() => lossAnomaly(put, losses))
    else open.push(losses)
    for (const { acknowledged } of queue.puts) counts[acknowledged ? 'acknowledged' : 'unknown'] += 1
    counts.failed += queue.failedPuts.length
    counts.delivered += queue.deliveries.length
  }
  return {
    consumed: count,
    ...allOf([lost]),
    undecided:
      counts.acknowledged === 0
        ? 'no element was acknowledged, so none could be lost'
        : undecidedLosses(open),
    evidence: { ...counts, lost: lost.count, keysRead: queues.length },
  }
}
