import { z } from 'zod'
import { AnomalyList, allOf } from '../anomaly-list.js'
import type { Checker, CheckInput } from '../checker.js'
import { checkedOptions } from '../checked-options.js'
import { defineChecker, type Judgement } from '../define.js'
import { accountsOf, balanceOf } from './accounts.js'
import { isLoss, lossAnomaly, lossesOf, undecidedLosses, type Losses } from './losses.js'
import { queueTraffic } from './queue-traffic.js'
import { duplicateAnomaly, unexpectedAnomaly } from './strays.js'

export interface TotalQueueOptions {
  /**
   * True: the recording ends with an empty queue. Default false: a queue counts as drained when a take answered that it
   * was empty, or `drain` was answered, after all acknowledged puts had returned.
   */
  readonly drained?: boolean
  /** `allowed`: an element may come out more than once, as with delivery at least once. Default `none`. */
  readonly duplicates?: 'none' | 'allowed'
}

const schema = z.strictObject({
  drained: z.boolean().default(false),
  duplicates: z.enum(['none', 'allowed']).default('none'),
})

/**
 * What goes in comes out: of each key's queue every acknowledged element, once, and nothing else, in any order.
 *
 * An element of unknown outcome may come out or not (`recovered` counts those that did). What an unanswered take may have
 * taken is not lost. Elements that did not come out are lost only when the queue is known to have been drained; otherwise
 * the answer is `unknown`. See `queueTraffic` for the operations that it reads.
 * Throws DeclarationError when the options are wrong.
 */
export function totalQueue(options: TotalQueueOptions = {}): Checker {
  const rules = checkedOptions(options, {
    checker: 'total-queue',
    factory: 'totalQueue',
    schema,
    example: 'totalQueue({ drained: true })',
  })
  return defineChecker({
    name: 'total-queue',
    pattern: 10,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'the order in which elements come out',
      'losses of elements that were in a queue that was not drained',
      'which of several equal elements was lost, duplicated or delivered',
    ],
    forbids: rules.duplicates === 'allowed' ? ['take-unknown', 'delivery-lost'] : undefined,
    judge: (input) => judge(input, rules),
  })
}

function judge(
  input: CheckInput,
  { drained, duplicates }: { drained: boolean; duplicates: 'none' | 'allowed' },
): Judgement {
  const { queues, initial, count } = queueTraffic(input)
  const lost = new AnomalyList()
  const unexpected = new AnomalyList()
  const duplicated = new AnomalyList()
  const open: Losses[] = []
  const counts = { acknowledged: 0, delivered: 0, recovered: 0, duplicated: 0, unanswered: 0 }
  for (const queue of queues) {
    const accounts = accountsOf(queue, initial)
    for (const account of accounts.values()) {
      const balance = balanceOf(account)
      counts.recovered += balance.recovered
      counts.duplicated += balance.duplicates.length
      for (const stray of balance.unexpected) {
        unexpected.add(() => unexpectedAnomaly(stray, { account, failedPuts: queue.failedPuts }))
      }
      if (duplicates === 'allowed') continue
      for (const copy of balance.duplicates) duplicated.add(() => duplicateAnomaly(copy, account))
    }
    const losses = lossesOf(queue, accounts, { drained, fifo: false })
    if (isLoss(losses)) for (const put of losses.due) lost.add(() => lossAnomaly(put, losses))
    else open.push(losses)
    for (const { acknowledged } of queue.puts) counts.acknowledged += Number(acknowledged)
    counts.delivered += queue.deliveries.length
    counts.unanswered += queue.unseen.length + queue.unseenDrains.length
  }
  const nothing = counts.acknowledged + counts.delivered === 0
  return {
    consumed: count,
    ...allOf([lost, unexpected, duplicated]),
    undecided: nothing ? 'no element was acknowledged or delivered' : undecidedLosses(open),
    evidence: { queues: queues.length, ...counts, lost: lost.count, unexpected: unexpected.count },
  }
}
