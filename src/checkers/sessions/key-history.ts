import type { Operation } from '../../history/operation.js'
import type { Access, Value } from './accesses.js'

/** The accesses of one key for judging how stale reads are. */
export interface KeyHistory {
  /** Indices of the reads, in order of invocation. */
  readonly reads: readonly number[]
  /** Indices of the acknowledged writes, in order of their answers. */
  readonly acknowledged: readonly number[]
  /** Indices of all writes that may have happened, in order of invocation. */
  readonly writes: readonly number[]
  /** Whether any operation shows a version: then versions alone are the order. */
  readonly hasVersions: boolean
}

/** Splits a history by key. */
export function keyHistories(accesses: readonly Access[]): KeyHistory[] {
  const byKey = new Map<
    Operation['key'],
    { reads: number[]; acknowledged: number[]; writes: number[]; hasVersions: boolean }
  >()
  for (const [index, { operation, isRead, isAnswered, version }] of accesses.entries()) {
    let ofKey = byKey.get(operation.key)
    if (ofKey === undefined) {
      ofKey = { reads: [], acknowledged: [], writes: [], hasVersions: false }
      byKey.set(operation.key, ofKey)
    }
    if (isRead) ofKey.reads.push(index)
    else ofKey.writes.push(index)
    if (!isRead && isAnswered) ofKey.acknowledged.push(index)
    if (version !== null) ofKey.hasVersions = true
  }
  const answerOf = (index: number) => accesses[index]!.operation.complete_ts ?? Infinity
  for (const { acknowledged } of byKey.values()) acknowledged.sort((a, b) => answerOf(a) - answerOf(b))
  return [...byKey.values()]
}

/** How many of the numbers, which grow, are below the limit. */
export function countBelow(numbers: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The writes that a read can have shown. */
export interface Candidates {
  /** Their number, counting the initial state as one. */
  readonly count: number
  /** The latest moment until which one of them may have taken effect; -1 of the initial state, before any moment. */
  readonly latestEnd: number
  /** The write when it is the only candidate, -1 when that is the initial state or there are several or none. */
  readonly only: number
}

/**
 * By value, which writes a read can have shown: those that had begun when it was answered. Also when each write must
 * have taken effect: at its answer, or before if a read that can only have shown this write was answered before.
 */
export class ReadsFrom {
  readonly #ends: Float64Array
  readonly #accesses: readonly Access[]
  readonly #init: Value
  readonly #byValue = new Map<Value, { begins: number[]; writes: number[]; latestEnd: number[] }>()

  readonly #endedBy: Map<number, number>

  /**
   * `ends` is room for a number for each access, and `endedBy` for the read that shows that a write had taken effect
   * before its answer; all keys share them.
   */
  constructor(
    accesses: readonly Access[],
    { reads, writes }: KeyHistory,
    { init, ends, endedBy }: { init: Value; ends: Float64Array; endedBy: Map<number, number> },
  ) {
    this.#accesses = accesses
    this.#init = init
    this.#ends = ends
    this.#endedBy = endedBy
    for (const write of writes) this.#enter(write)
    for (const read of reads) {
      const { only } = this.of(read)
      const answer = accesses[read]!.operation.complete_ts ?? Infinity
      if (only === -1 || answer >= ends[only]!) continue
      ends[only] = answer
      endedBy.set(only, read)
    }
    for (const { writes: its, latestEnd } of this.#byValue.values()) {
      for (const [place, write] of its.entries()) {
        latestEnd[place] = Math.max(ends[write]!, place === 0 ? -1 : latestEnd[place - 1]!)
      }
    }
  }

  /** The moment until which the write may have taken effect. */
  endOf(write: number): number {
    return this.#ends[write]!
  }

  of(read: number): Candidates {
    const { operation, value } = this.#accesses[read]!
    const isInitial = value === this.#init
    const its = value === undefined ? undefined : this.#byValue.get(value)
    const answer = operation.complete_ts ?? Infinity
    const begun = its === undefined ? 0 : countBelow(its.begins, answer)
    return {
      count: begun + (isInitial ? 1 : 0),
      latestEnd: begun === 0 ? -1 : its!.latestEnd[begun - 1]!,
      only: begun === 1 && !isInitial ? its!.writes[0]! : -1,
    }
  }

  /** The candidates that are writes, and the reads that show when those had taken effect. */
  evidence(read: number): number[] {
    const { operation, value } = this.#accesses[read]!
    const its = value === undefined ? undefined : this.#byValue.get(value)
    if (its === undefined) return []
    const writes = its.writes.slice(0, countBelow(its.begins, operation.complete_ts ?? Infinity))
    return writes.flatMap((write) => [write, this.#endedBy.get(write) ?? write])
  }

  #enter(write: number): void {
    const { operation, value } = this.#accesses[write]!
    const end = operation.complete_ts ?? Infinity
    this.#ends[write] = end
    let its = this.#byValue.get(value ?? null)
    if (its === undefined) this.#byValue.set(value ?? null, (its = { begins: [], writes: [], latestEnd: [] }))
    its.begins.push(operation.invoke_ts)
    its.writes.push(write)
    its.latestEnd.push(end)
  }
}
