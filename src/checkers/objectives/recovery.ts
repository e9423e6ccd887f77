import type { FaultSpan } from '../../history/fault-span.js'
import { outcomeOf, type Operation } from '../../history/operation.js'

/** When a system was well again after a fault was healed. */
export interface Recovery {
  readonly fault: FaultSpan
  /** Milliseconds from the heal to the first steady stretch; null when the run ended or a fault began before there was one. */
  readonly ms: number | null
  /** The last operation that failed or had no answer before the steady stretch. */
  readonly lastBad: Operation | null
}

/**
 * How long the system took after each healed fault until `steadyNs` passed without an operation that failed or was not
 * answered. `operations` are in order of invocation; those that were in flight at the heal do not count.
 */
export function recoveries(
  operations: readonly Operation[],
  faults: readonly FaultSpan[],
  steadyNs: number,
): Recovery[] {
  return faults.flatMap((fault) => {
    const { end } = fault
    if (end === null) return []
    const next = Math.min(
      ...faults.filter((other) => other !== fault && (other.end ?? Infinity) > end).map(({ start }) => start),
      Infinity,
    )
    return [recoveryFrom(operations, { fault, healed: end, next, steadyNs })]
  })
}

function recoveryFrom(
  operations: readonly Operation[],
  { fault, healed, next, steadyNs }: { fault: FaultSpan; healed: number; next: number; steadyNs: number },
): Recovery {
  let goodSince: number | null = null
  let lastBad: Operation | null = null
  for (let index = firstFrom(operations, healed); index < operations.length; index += 1) {
    const operation = operations[index] as Operation
    if (operation.invoke_ts >= next) break
    if (outcomeOf(operation) !== 'ok') {
      goodSince = null
      lastBad = operation
      continue
    }
    goodSince ??= lastBad === null ? healed : operation.invoke_ts
    if (operation.invoke_ts - goodSince >= steadyNs) {
      return { fault, ms: (goodSince - healed) / 1e6, lastBad }
    }
  }
  return { fault, ms: null, lastBad }
}

/** The first operation that was invoked at this time or later. */
function firstFrom(operations: readonly Operation[], time: number): number {
  let [low, high] = [0, operations.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((operations[middle] as Operation).invoke_ts < time) low = middle + 1
    else high = middle
  }
  return low
}
