import { outcomeOf, type Operation } from '../../history/operation.js'
import { canonical } from '../../models/canonical.js'
import type { Model } from '../../models/model.js'
import { ModelOperationError } from '../../models/operation-error.js'
import type { Call, Partition } from './call.js'
import { Readers } from './readers.js'

/** Beyond this many the other operations are only counted. */
const mostTold = 3

/** What a violation is told from. */
export interface Violation {
  readonly partition: Partition
  /** The operation whose return no order gets past. */
  readonly brokenAt: Call
  /** The small part that is a violation by itself, in order of invocation. */
  readonly core: readonly Call[]
}

/** A violation in a sentence: at which operation the history breaks, and what speaks against it. */
export function explain(
  violation: Violation,
  { model, operations }: { model: Model; operations: readonly Operation[] },
): string {
  const { partition, brokenAt, core } = violation
  const where = partition.key === null ? '' : `Key ${JSON.stringify(partition.key)}: `
  const why = reasonAgainst(violation, model)
  const hint = failedWriteHint(violation, { model, operations })
  const subject = `${where}${name(brokenAt, model)}`
  if (why !== null) return `${subject} ${why}.${hint}`
  const others = core.filter((call) => call.operation !== brokenAt.operation)
  if (others.length === 0) return `${subject} is not possible at all.${hint}`
  if (others.length > mostTold)
    return `${subject} fits no order with the ${others.length} others that contradict it.${hint}`
  return `${subject} fits no order with ${others.map((call) => name(call, model)).join(', ')}.${hint}`
}

/** The type of the anomaly, by what is known of the operation at which it broke. */
export function anomalyType({ partition, brokenAt }: Violation, model: Model): string {
  const readers = Readers.of(partition.calls, model)
  const value = readers?.reads(brokenAt)
  if (!readers || value === undefined) return 'not-linearizable'
  const writers = partition.calls.filter((call) => call !== brokenAt && readers.writes(call) === value)
  const initial = canonical(model.semantics.init) === value
  if (writers.length === 0 && !initial) return 'value-never-written'
  if (!initial && writers.every((call) => call.invoke > brokenAt.complete)) return 'value-from-the-future'
  return writers.some((call) => readers.mayMeet(call, brokenAt)) ||
    (initial && readers.hiddenBefore(brokenAt) < 0)
    ? 'not-linearizable'
    : 'stale-value'
}

function reasonAgainst(violation: Violation, model: Model): string | null {
  const { partition, brokenAt } = violation
  const readers = Readers.of(partition.calls, model)
  const value = readers?.reads(brokenAt)
  if (!readers || value === undefined) return null
  const writers = partition.calls.filter((call) => call !== brokenAt && readers.writes(call) === value)
  switch (anomalyType(violation, model)) {
    case 'value-never-written':
      return `saw ${value}, which no operation of this history wrote`
    case 'value-from-the-future':
      return `saw ${value}, which was written only after it had returned, by ${name(writers[0] as Call, model)}`
    case 'stale-value': {
      const newer = partition.calls.find((call) => call.invoke === readers.hiddenBefore(brokenAt))
      if (!newer) return null
      const older = writers.findLast((call) => call.complete < newer.invoke)
      const source = older ? `written before that by ${name(older, model)}` : 'the initial value'
      return `saw ${value}, ${source}, although ${name(newer, model)} had been acknowledged before it began`
    }
    default:
      return null
  }
}

/** A read of a value whose write is marked failed is most often a timeout that was recorded as a failure. */
function failedWriteHint(
  { partition, brokenAt }: Violation,
  { model, operations }: { model: Model; operations: readonly Operation[] },
): string {
  const readers = Readers.of(partition.calls, model)
  const value = readers?.reads(brokenAt)
  if (!readers || value === undefined) return ''
  if (partition.calls.some((call) => readers.writes(call) === value && readers.mayMeet(call, brokenAt)))
    return ''
  const failed = operations.find((operation) => {
    if (outcomeOf(operation) !== 'failed' || !model.operations.includes(operation.op_type)) return false
    if (model.partition === 'key' && operation.key !== partition.key) return false
    if (operation.invoke_ts > (brokenAt.operation.complete_ts ?? Infinity)) return false
    return valueWritten(operation, model) === value
  })
  if (!failed) return ''
  const { op_id: id, error } = failed
  return ` Operation ${JSON.stringify(id)} would have written it but is recorded as failed (${error}): was that a timeout, whose outcome is unknown?`
}

function valueWritten({ op_type: type, key, input }: Operation, model: Model): string | undefined {
  try {
    return model.registerAction?.({ type, key, input, output: null, outcome: 'unknown' })?.writes
  } catch (error) {
    // A failed operation is not judged, so it need not be readable: then there is no hint to give.
    if (error instanceof ModelOperationError) return undefined
    throw error
  }
}

function name({ seen, operation }: Call, model: Model): string {
  const process = JSON.stringify(operation.process_id)
  return `${model.describeOperation(seen)} by process ${process} (op ${JSON.stringify(operation.op_id)})`
}
