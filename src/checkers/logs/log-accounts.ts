import { accountsOf, returned, type Account } from '../queues/accounts.js'
import type { Delivery } from '../queues/queue-traffic.js'
import type { ValueKey } from '../queues/value-key.js'
import type { LogOfKey, LogRead } from './log-history.js'

/**
 * What was appended to a log and what reads show, by value. Reads by offset show one copy of a value at each offset that
 * they show it at; reads of the whole list show as many as stand in one list. Both count on their own.
 */
export function logAccounts(log: LogOfKey, initial: readonly ValueKey[]): readonly Map<ValueKey, Account>[] {
  const byReturn = log.reads.toSorted((a, b) => returned(a.operation) - returned(b.operation))
  return [byReturn.filter(({ isList }) => !isList), byReturn.filter(({ isList }) => isList)]
    .filter((reads) => reads.length > 0)
    .map((reads) => accountsOf({ puts: log.appends, deliveries: copiesShown(reads) }, initial))
}

/** Each copy once, with the read that was the first to return with it. */
function copiesShown(reads: readonly LogRead[]): Delivery[] {
  const shown: Delivery[] = []
  /** The values at each offset, or, of lists, each value by how often it stands before in the same list. */
  const seen = new Map<number, ValueKey | Set<ValueKey>>()
  for (const { operation, offsets, values, isList } of reads) {
    if (values === null) continue
    const before = isList ? new Map<ValueKey, number>() : null
    for (const [i, value] of values.entries()) {
      const place = before === null ? (offsets[i] as number) : (before.get(value) ?? 0)
      before?.set(value, place + 1)
      if (isNew(seen, place, value)) shown.push({ operation, value })
    }
  }
  return shown
}

/** Notes the value at the place. Most places have one value, which needs no set. */
function isNew(seen: Map<number, ValueKey | Set<ValueKey>>, place: number, value: ValueKey): boolean {
  const there = seen.get(place)
  if (there instanceof Set) {
    if (there.has(value)) return false
    there.add(value)
    return true
  }
  if (there === value) return false
  seen.set(place, there === undefined ? value : new Set([there, value]))
  return true
}
