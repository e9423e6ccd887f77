import type { CheckInput } from '../checker.js'
import { logAccounts } from '../logs/log-accounts.js'
import { logHistory } from '../logs/log-history.js'
import { accountsOf, type Account } from './accounts.js'
import { queueTraffic, type Put } from './queue-traffic.js'
import type { ValueKey } from './value-key.js'

/** The accounts of one queue or log. */
interface Part {
  readonly accounts: ReadonlyMap<ValueKey, Account>
  readonly failedPuts: readonly Put[]
}

/** What came out of the queues and stands in the logs of a history, by value. */
export function shownAccounts(input: Pick<CheckInput, 'operations' | 'model'>): {
  readonly parts: readonly Part[]
  /** Elements that came out of queues, and entries that reads of logs show, each of them once. */
  readonly delivered: number
  /** Operations on queues and logs. */
  readonly count: number
} {
  const parts: Part[] = []
  const traffic = queueTraffic(input)
  for (const queue of traffic.queues) {
    parts.push({ accounts: accountsOf(queue, traffic.initial), failedPuts: queue.failedPuts })
  }
  const { logs, initial, count } = logHistory(input)
  for (const log of logs) {
    for (const accounts of logAccounts(log, initial)) parts.push({ accounts, failedPuts: log.failedAppends })
  }
  let delivered = 0
  for (const { accounts } of parts) {
    for (const { deliveries } of accounts.values()) delivered += deliveries.length
  }
  return { parts, delivered, count: traffic.count + count }
}
