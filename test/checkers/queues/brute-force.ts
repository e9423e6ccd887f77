import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

interface Coming {
  readonly operation: Operation
  readonly value: Json
}

/** The operations on one key, told apart by what they mean. Shares nothing with the code that it is to judge. */
export function facts(operations: readonly Operation[]) {
  const happened = operations.filter((one) => outcomeOf(one) !== 'failed')
  const puts = happened.filter(({ op_type: type }) => type === 'enqueue')
  const answered = happened.filter((one) => one.op_type !== 'enqueue' && outcomeOf(one) === 'ok')
  const out = answered.flatMap((operation): Coming[] => {
    if (operation.op_type === 'drain') {
      return (operation.output as Json[]).map((value) => ({ operation, value }))
    }
    return operation.output === null ? [] : [{ operation, value: operation.output }]
  })
  const empty = answered.filter(({ op_type: type, output }) => type === 'drain' || output === null)
  const unseen = happened.filter((one) => one.op_type === 'dequeue' && outcomeOf(one) === 'unknown')
  return { puts, out, empty, unseen }
}

const isAcked = (put: Operation) => outcomeOf(put) === 'ok'
const canBe = (put: Operation, { operation, value }: Coming) =>
  put.input === value && put.invoke_ts <= Number(operation.complete_ts)

/** When the queue of one key was empty for good, by the operations alone; null when that is not known. */
export function drainedBy(operations: readonly Operation[]): number | null {
  const { puts, out, empty } = facts(operations)
  const acked = puts.filter(isAcked)
  const after = empty.filter((one) => acked.every((put) => Number(put.complete_ts) < one.invoke_ts))
  const latest = Math.max(...after.map((one) => one.invoke_ts))
  const last = after.find((one) => one.invoke_ts === latest)
  if (last === undefined) return null
  const end = Number(last.complete_ts)
  const later = out.filter(({ operation }) => operation.invoke_ts > end)
  return later.some(({ value }) => acked.some((put) => put.input === value)) ? null : end
}

/**
 * The claim of a total queue by its definition, for one key: tries every way to say which put each element that came out
 * is of. `mustBeOut` are the puts that were lost unless they came out, or were taken by an unanswered take before `by`.
 */
export function explains(
  operations: readonly Operation[],
  mustBeOut: readonly Operation[],
  by: number | null,
): boolean {
  const { puts, out, unseen } = facts(operations)
  const takers = by === null ? [] : unseen.filter(({ invoke_ts: begun }) => begun <= by)
  const place = (index: number, left: readonly Operation[]): boolean => {
    const coming = out[index]
    if (coming === undefined) return left.filter((put) => mustBeOut.includes(put)).length <= takers.length
    return left.some(
      (put) =>
        canBe(put, coming) &&
        place(
          index + 1,
          left.filter((other) => other !== put),
        ),
    )
  }
  return place(0, puts)
}

/**
 * A history of queues by the definition: false when some key's cannot be explained, unknown when some acknowledged
 * element did not come out and may be in the queue or with an unanswered take, or when there is nothing to judge.
 */
export function totalQueueOf(operations: readonly Operation[]): boolean | 'unknown' {
  const parts = byKey(operations).map((part) => ({ part, ...facts(part), end: drainedBy(part) }))
  const isExplained = parts.every(({ part, puts, end }) =>
    explains(part, end === null ? [] : puts.filter(isAcked), end),
  )
  if (!isExplained) return false
  if (parts.every(({ puts, out }) => puts.filter(isAcked).length + out.length === 0)) return 'unknown'
  return parts.every(({ part, puts }) => explains(part, puts.filter(isAcked), null)) ? true : 'unknown'
}

/** Everything that came out and had been put in can be a put of its own. */
export function isWithoutDuplicates(operations: readonly Operation[]): boolean {
  const { puts, out } = facts(operations)
  const known = out.filter((coming) => puts.some((put) => canBe(put, coming)))
  const place = (index: number, left: readonly Operation[]): boolean => {
    const coming = known[index]
    if (coming === undefined) return true
    return left.some((put) => canBe(put, coming) && place(index + 1, left.toSpliced(left.indexOf(put), 1)))
  }
  return place(0, puts)
}

export function isExpected(operations: readonly Operation[]): boolean {
  const { puts, out } = facts(operations)
  return out.every((coming) => puts.some((put) => canBe(put, coming)))
}

/** The operations of each key. */
function byKey(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const keys = [...new Set(operations.map(({ key }) => key))]
  return keys.map((key) => operations.filter((one) => one.key === key))
}
