import { outcomeOf, type Operation, type OperationField } from './operation.js'

/** The span of a fault window, in nanoseconds of the run's clock; `end` is null while it is open. */
export interface Span {
  readonly start: number
  readonly end: number | null
}

/**
 * What a history lacks for the checkers that are to judge it, in words; empty when it is strong enough.
 *
 * `needs` are the fields that the checkers and the model ask for. Only operations that were answered, and did not merely
 * fail, can be expected to have an output or to name the node that answered.
 */
export function weaknesses(
  operations: readonly Operation[],
  needs: readonly OperationField[],
  windows: readonly Span[],
): string[] {
  const found: string[] = []
  const answered = operations.filter((operation) => outcomeOf(operation) === 'ok')
  for (const field of ['node_seen', 'key', 'input', 'output'] as const) {
    if (!needs.includes(field)) continue
    const pool = field === 'key' || field === 'input' ? operations : answered
    const without = pool.filter((operation) => operation[field] === null).length
    const allowed = field === 'node_seen' ? 0 : pool.length - 1
    if (without > allowed) found.push(`${without} of ${pool.length} operations have no ${field}`)
  }
  if (operations.length > 0 && answered.length === 0) found.push(noneAnswered(operations))
  const unmarked = operations.filter(
    (operation) => operation.complete_ts === null && !operation.timeout_marker,
  ).length
  if (unmarked > 0) found.push(`${unmarked} unanswered operations have no timeout_marker`)
  const unlabelled = operations.filter(
    (operation) => operation.fault_epoch === null && windows.some((window) => surelyMet(operation, window)),
  ).length
  if (unlabelled > 0) found.push(`${unlabelled} operations overlapped a fault window and have no fault_epoch`)
  return found
}

/**
 * Whether the operation was certainly in flight at a moment of the span. When an unanswered one was given up is not
 * known, so only its invocation counts.
 */
function surelyMet(operation: Operation, { start, end }: Span): boolean {
  const { invoke_ts, complete_ts } = operation
  const last = complete_ts ?? invoke_ts
  return last >= start && (end === null || invoke_ts <= end)
}

/** Without a single answer nothing was observed, whatever a checker makes of it. */
function noneAnswered(operations: readonly Operation[]): string {
  const why = operations[0]?.error ?? 'no error was recorded'
  return `none of ${operations.length} operations was answered; the first said: ${why}`
}
