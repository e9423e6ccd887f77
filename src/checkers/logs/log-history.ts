import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { CheckInput } from '../checker.js'
import { valueKey, type ValueKey } from '../queues/value-key.js'

/** An entry that was appended. */
export interface Append {
  readonly operation: Operation
  readonly value: ValueKey
  /** False when the outcome is unknown. */
  readonly acknowledged: boolean
  /** What the append answered; null when it did not say. */
  readonly offset: number | null
}

/** An answered read of a log. */
export interface LogRead {
  readonly operation: Operation
  /** Where the reader asked to begin; null when it did not, so that it goes on where it was. */
  readonly from: number | null
  /** In the order of the answer. */
  readonly offsets: readonly number[]
  /** The entries at the offsets; null when the answer has none, as with revisions of a watch. */
  readonly values: readonly ValueKey[] | null
  /** True when it lists the log from its beginning, so that offsets are places in the list. */
  readonly isList: boolean
}

/** What is known of the log of one key, in order of the history. */
export interface LogOfKey {
  readonly key: string | number | null
  /** Those that happened or may have. */
  readonly appends: Append[]
  readonly failedAppends: Append[]
  readonly reads: LogRead[]
}

export interface LogHistory {
  readonly logs: readonly LogOfKey[]
  /** The entries of every log at first, from offset 0. */
  readonly initial: readonly ValueKey[]
  /** Operations on logs, of all outcomes. */
  readonly count: number
}

const appending: ReadonlySet<string> = new Set(['append', 'produce'])
const reading: ReadonlySet<string> = new Set(['read', 'fetch', 'poll', 'consume', 'watch'])

/**
 * Sorts the operations on logs by key. `append` (or `produce`) answers its offset, as a number that is not its input or
 * as `{ offset }`. Reads (`read`, `fetch`, `poll`, `consume`, `watch`) answer `{ from, records: [[offset, value], …] }`,
 * `{ revisions: [offset, …] }`. On a key that was appended to, `read` may also answer the list of the whole log, or the
 * entry at the offset in the input. Other answers say nothing of a log and are passed over.
 */
export function logHistory({ operations, model }: Pick<CheckInput, 'operations' | 'model'>): LogHistory {
  const init = model?.semantics.init
  const logs = new Map<Operation['key'], LogOfKey>()
  const logOf = (key: Operation['key']): LogOfKey => {
    let log = logs.get(key)
    if (log === undefined) {
      log = { key, appends: [], failedAppends: [], reads: [] }
      logs.set(key, log)
    }
    return log
  }
  let count = 0
  const others: Operation[] = []
  for (const operation of operations) {
    if (reading.has(operation.op_type)) others.push(operation)
    if (!appending.has(operation.op_type)) continue
    count += 1
    const outcome = outcomeOf(operation)
    const log = logOf(operation.key)
    ;(outcome === 'failed' ? log.failedAppends : log.appends).push({
      operation,
      value: valueKey(operation.input),
      acknowledged: outcome === 'ok',
      offset: outcome === 'ok' ? offsetOf(operation) : null,
    })
  }
  for (const operation of others) {
    const read = outcomeOf(operation) === 'ok' ? readOf(operation, logs.has(operation.key)) : null
    if (read === null) continue
    count += 1
    logOf(operation.key).reads.push(read)
  }
  return { logs: [...logs.values()], initial: Array.isArray(init) ? init.map(valueKey) : [], count }
}

function offsetOf({ input, output }: Operation): number | null {
  const answer = isObject(output) ? output['offset'] : output === input ? null : output
  return isOffset(answer) ? answer : null
}

function readOf(operation: Operation, isAppendedTo: boolean): LogRead | null {
  const { input, output } = operation
  if (isObject(output)) {
    const asked = output['from'] ?? (isObject(input) ? input['from'] : undefined)
    const from = isOffset(asked) ? asked : null
    const revisions = output['revisions']
    if (Array.isArray(revisions)) {
      return revisions.every(isOffset)
        ? { operation, from, offsets: revisions, values: null, isList: false }
        : null
    }
    return recordsOf(operation, output['records'], from)
  }
  if (!isAppendedTo || operation.op_type !== 'read' || output === null) return null
  if (isOffset(input)) {
    return { operation, from: input, offsets: [input], values: [valueKey(output)], isList: false }
  }
  if (input !== null || !Array.isArray(output)) return null
  return { operation, from: 0, offsets: output.map((_, i) => i), values: output.map(valueKey), isList: true }
}

function recordsOf(operation: Operation, records: Json | undefined, from: number | null): LogRead | null {
  if (!Array.isArray(records)) return null
  // Of their final length at once: lists that grow by pushing take several times the room, and most hold little.
  const offsets = new Array<number>(records.length)
  const values = new Array<ValueKey>(records.length)
  for (const [i, record] of records.entries()) {
    const [offset, value = null] = isObject(record)
      ? [record['offset'], record['value']]
      : Array.isArray(record)
        ? record
        : []
    if (!isOffset(offset)) return null
    offsets[i] = offset
    values[i] = valueKey(value)
  }
  return { operation, from, offsets, values, isList: false }
}

function isObject(value: Json): value is { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOffset(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
