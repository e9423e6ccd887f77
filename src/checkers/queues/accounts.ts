import type { Operation } from '../../history/operation.js'
import type { Delivery, Put, Queue } from './queue-traffic.js'
import type { ValueKey } from './value-key.js'

/** What went in and came out of one value, in a queue or a log. */
export interface Account {
  /** Those that happened or may have, by invocation. */
  readonly puts: readonly Put[]
  /** By return. */
  readonly deliveries: readonly Delivery[]
  /** Copies that were there at first. */
  readonly initial: number
}

/** What an account comes to. */
export interface Balance {
  /** Came out although no operation that may have put it in had begun. */
  readonly unexpected: readonly Delivery[]
  /** Came out although everything that may have been put in by then had come out before. */
  readonly duplicates: readonly Delivery[]
  /** At least so many acknowledged puts did not come out. */
  readonly missing: number
  /** At least so many puts of unknown outcome came out. */
  readonly recovered: number
}

/** The accounts of a queue, by value. */
export function accountsOf(
  { puts, deliveries }: Pick<Queue, 'puts' | 'deliveries'>,
  initial: readonly ValueKey[],
): Map<ValueKey, Account> {
  const copies = new Map<ValueKey, number>()
  for (const value of initial) copies.set(value, (copies.get(value) ?? 0) + 1)
  const accounts = new Map<ValueKey, { puts: Put[]; deliveries: Delivery[]; readonly initial: number }>()
  // Most lists have one item. One that is made with it takes a tenth of the room of one that it is pushed to.
  for (const put of puts) {
    const account = accounts.get(put.value)
    if (account !== undefined) account.puts.push(put)
    else accounts.set(put.value, { puts: [put], deliveries: [], initial: copies.get(put.value) ?? 0 })
  }
  for (const delivery of deliveries) {
    const { value } = delivery
    const account = accounts.get(value)
    if (account === undefined) {
      accounts.set(value, { puts: [], deliveries: [delivery], initial: copies.get(value) ?? 0 })
    } else if (account.deliveries.length === 0) account.deliveries = [delivery]
    else account.deliveries.push(delivery)
  }
  for (const account of accounts.values()) {
    if (account.puts.length > 1) account.puts.sort((a, b) => a.operation.invoke_ts - b.operation.invoke_ts)
    if (account.deliveries.length > 1) {
      account.deliveries.sort((a, b) => returned(a.operation) - returned(b.operation))
    }
  }
  return accounts
}

const none: readonly Delivery[] = []

/**
 * Pairs each delivery with a put that had begun by then, as many as can be, and of those with as many acknowledged ones as
 * can be. Deliveries come by return and what may have been put in only grows, so that taking them in turn, acknowledged
 * puts first, does both.
 */
export function balanceOf({ puts, deliveries, initial }: Account): Balance {
  let unexpected: Delivery[] | null = null
  let duplicates: Delivery[] | null = null
  let begun = 0
  let acknowledged = 0
  let others = initial
  let recovered = 0
  const begin = () => {
    if ((puts[begun] as Put).acknowledged) acknowledged += 1
    else others += 1
    begun += 1
  }
  for (const delivery of deliveries) {
    const end = returned(delivery.operation)
    while (begun < puts.length && (puts[begun] as Put).operation.invoke_ts <= end) begin()
    if (begun + initial === 0) (unexpected ??= []).push(delivery)
    else if (acknowledged > 0) acknowledged -= 1
    else if (others > 0) {
      others -= 1
      recovered += 1
    } else (duplicates ??= []).push(delivery)
  }
  while (begun < puts.length) begin()
  return {
    unexpected: unexpected ?? none,
    duplicates: duplicates ?? none,
    missing: acknowledged,
    recovered: Math.max(0, recovered - initial),
  }
}

/** When an operation had returned; never, when its outcome is unknown. */
export function returned(operation: Operation): number {
  return operation.complete_ts ?? Infinity
}
