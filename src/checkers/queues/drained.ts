import type { Operation } from '../../history/operation.js'
import { returned, type Account } from './accounts.js'
import type { Queue } from './queue-traffic.js'
import type { ValueKey } from './value-key.js'

/**
 * The operation that shows that a queue was drained: the last that found it empty, or drained it, begun after every
 * acknowledged put had returned. Null when there is none, or when an acknowledged element came out after it, which
 * shows that the queue was not empty at all.
 */
export function drainOf(queue: Queue, accounts: ReadonlyMap<ValueKey, Account>): Operation | null {
  let allIn = -1
  for (const { operation, acknowledged } of queue.puts) {
    if (acknowledged) allIn = Math.max(allIn, returned(operation))
  }
  let last: Operation | null = null
  for (const empty of queue.empties) {
    if (empty.invoke_ts > allIn && (last === null || empty.invoke_ts > last.invoke_ts)) last = empty
  }
  if (last === null) return null
  const end = returned(last)
  const refuted = queue.deliveries.some(
    ({ operation, value }) =>
      operation.invoke_ts > end &&
      accounts.get(value)?.puts.some(({ acknowledged }) => acknowledged) === true,
  )
  return refuted ? null : last
}
