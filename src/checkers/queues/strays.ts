import type { Anomaly } from '../checker.js'
import type { Operation } from '../../history/operation.js'
import { shown, tell } from '../words.js'
import { returned, type Account } from './accounts.js'
import type { Delivery, Put } from './queue-traffic.js'
import type { ValueKey } from './value-key.js'

/** A value that came out and that nothing is known to have put in; `failedPuts` are asked whether one was a timeout. */
export function unexpectedAnomaly(
  { operation, value }: Delivery,
  { account, failedPuts }: { account: Account; failedPuts: readonly Put[] },
): Anomaly {
  const failed = failedPuts.find((put) => put.value === value)
  const [later] = account.puts
  const why =
    failed !== undefined
      ? `the only ${failed.operation.op_type} of it, operation ${id(failed.operation)}, is recorded as failed: was that a timeout?`
      : later !== undefined
        ? `${tell(later.operation)} began only after it`
        : 'nothing is known to have put it in'
  const other = (failed ?? later)?.operation
  return {
    type: 'unexpected-element',
    explanation: `${tell(operation)} answered ${valueOf(value)}, and ${why}`,
    operations: inOrder([operation, ...(other === undefined ? [] : [other])]),
  }
}

/** A value that came out more often than it can have been put in by then. */
export function duplicateAnomaly({ operation, value }: Delivery, account: Account): Anomaly {
  const before = account.deliveries
    .slice(
      0,
      account.deliveries.findIndex((delivery) => delivery.operation === operation),
    )
    .map((delivery) => delivery.operation)
  const puts = account.puts
    .map((put) => put.operation)
    .filter(({ invoke_ts: begun }) => begun <= returned(operation))
  const others = before.length === 0 ? 'the same answer' : `operation ${before.map(id).join(', ')}`
  const sources = puts.length + account.initial
  return {
    type: 'duplicated-element',
    explanation:
      `${tell(operation)} answered ${valueOf(value)}, which had come out before (${others}), ` +
      `and it was put in ${sources === 1 ? 'only once' : `at most ${sources} times`}`,
    operations: inOrder([...puts, ...before, operation]),
  }
}

/** Ids of the operations in order of invocation, each once. */
export function inOrder(operations: readonly Operation[]): Anomaly['operations'] {
  return [...new Set(operations)].sort((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: one }) => one)
}

function id({ op_id: one }: Operation): string {
  return JSON.stringify(one)
}

/** A value for a sentence. */
export function valueOf(value: ValueKey): string {
  return typeof value === 'string' && value.startsWith('\u0000') ? cut(value.slice(1)) : shown(value)
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}
