import { HarnessError, messageOf } from '../../errors.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import type { CheckInput } from '../checker.js'
import type { SessionOptions } from './options.js'
import { streamOf } from './stream.js'
import type { Version } from './version.js'

/** A value as a key of a map: equal values have the same. */
export type Value = string | number | boolean | null

/** An operation on one key that a session guarantee is about: an answered read, or a write that may have happened. */
export interface Access {
  readonly operation: Operation
  readonly isRead: boolean
  /** Answered. A write that was not may take effect at any later time, or never. */
  readonly isAnswered: boolean
  /** Read or written; undefined when a read does not show it. */
  readonly value: Value | undefined
  /** Null when it shows none. */
  readonly version: Version | null
}

export interface Accesses {
  /** In order of invocation. */
  readonly accesses: readonly Access[]
  /** Values of writes that failed, by key: whoever reads one has not read what the history says was written. */
  readonly failedWrites: ReadonlyMap<Operation['key'], ReadonlyMap<Value, Operation>>
  /** Reads and writes in the history, whatever came of them. */
  readonly consumed: number
  readonly failed: number
  readonly unknown: number
}

const reads: ReadonlySet<string> = new Set(['read', 'get'])
const writes: ReadonlySet<string> = new Set(['write', 'put', 'set'])
const deletes: ReadonlySet<string> = new Set(['delete', 'remove'])
const swaps: ReadonlySet<string> = new Set(['cas', 'compare-and-set'])

/**
 * The reads and writes of a history of registers: `read` or `get`; `write`, `put` or `set`; `delete` or `remove`, which
 * write null; and `cas` with input `[expected, new]`, which writes the new value unless it was refused.
 *
 * An output `{ value, version }`, of which a part may be left out, shows both. With the model `session` a write may
 * answer the bare version, as a number other than its input. Throws HarnessError when `version` throws or returns
 * anything but a number, a string or null.
 */
export function accessesOf(
  { operations, model }: Pick<CheckInput, 'operations' | 'model'>,
  options: SessionOptions,
): Accesses {
  const nullIsUnknown = model?.semantics.nullRead === 'unknown'
  const writesAnswerVersions = model?.name === 'session'
  const accesses: Access[] = []
  const failedWrites = new Map<Operation['key'], Map<Value, Operation>>()
  const counts = { consumed: 0, failed: 0, unknown: 0 }
  for (const operation of operations) {
    const isRead = reads.has(operation.op_type) && streamOf(operation) === null
    const written = isRead ? undefined : writtenBy(operation)
    if (!isRead && written === undefined) continue
    counts.consumed += 1
    const outcome = outcomeOf(operation)
    if (outcome === 'failed') {
      counts.failed += 1
      if (written !== undefined) enterFailed(failedWrites, operation, valueOf(written))
      continue
    }
    if (outcome === 'unknown') {
      counts.unknown += 1
      if (written === undefined) continue
      accesses.push({ operation, isRead, isAnswered: false, value: valueOf(written), version: null })
      continue
    }
    const shown = shownBy(operation, { isRead, writesAnswerVersions })
    const version = options.version === undefined ? shown.version : askVersion(options.version, operation)
    const value = written === undefined ? shown.value : written
    const saysNothing =
      isRead && version === null && (value === undefined || (value === null && nullIsUnknown))
    if (saysNothing) continue
    accesses.push({
      operation,
      isRead,
      isAnswered: true,
      value: value === undefined ? undefined : valueOf(value),
      version,
    })
  }
  return { accesses: inOrder(accesses), failedWrites, ...counts }
}

function writtenBy({ op_type: type, input, output }: Operation): Json | undefined {
  if (writes.has(type)) return input
  if (deletes.has(type)) return null
  const isSwap = swaps.has(type) && output !== false && Array.isArray(input)
  return isSwap ? input[1] : undefined
}

function shownBy(
  { input, output }: Operation,
  { isRead, writesAnswerVersions }: { isRead: boolean; writesAnswerVersions: boolean },
): { value: Json | undefined; version: Version | null } {
  if (isVersioned(output)) {
    const { value, version } = output
    return { value, version: typeof version === 'number' || typeof version === 'string' ? version : null }
  }
  if (isRead) return { value: output, version: null }
  const isVersion = writesAnswerVersions && typeof output === 'number' && output !== input
  return { value: undefined, version: isVersion ? output : null }
}

function isVersioned(output: Json): output is { value?: Json; version?: Json } {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return false
  if ('version' in output) return true
  if (!('value' in output)) return false
  for (const field in output) if (field !== 'value') return false
  return true
}

function askVersion(version: NonNullable<SessionOptions['version']>, operation: Operation): Version | null {
  const where = `version() for operation ${JSON.stringify(operation.op_id)}`
  let answer: unknown
  try {
    answer = version(operation)
  } catch (cause) {
    throw new HarnessError('version', `${where} threw: ${messageOf(cause)}`, { cause })
  }
  if (answer === null || typeof answer === 'number' || typeof answer === 'string') return answer
  throw new HarnessError('version', `${where} returned ${String(answer)}`, {
    hint: 'return a number, a string, or null when the operation shows no version',
  })
}

/** A value as a key. Primitives are their own keys; objects are told from strings by a character that no JSON text begins with. */
export function valueOf(value: Json): Value {
  return typeof value === 'object' && value !== null ? `\u0000${canonical(value)}` : value
}

function enterFailed(
  failedWrites: Map<Operation['key'], Map<Value, Operation>>,
  operation: Operation,
  value: Value,
): void {
  const ofKey = failedWrites.get(operation.key) ?? new Map<Value, Operation>()
  failedWrites.set(operation.key, ofKey.set(value, operation))
}

function inOrder(accesses: Access[]): readonly Access[] {
  const isInOrder = accesses.every(
    ({ operation }, i) => i === 0 || accesses[i - 1]!.operation.invoke_ts <= operation.invoke_ts,
  )
  return isInOrder ? accesses : accesses.sort((a, b) => a.operation.invoke_ts - b.operation.invoke_ts)
}
