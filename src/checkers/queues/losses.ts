import type { Operation } from '../../history/operation.js'
import type { Anomaly } from '../checker.js'
import { tell } from '../words.js'
import { balanceOf, returned, type Account } from './accounts.js'
import { drainOf } from './drained.js'
import type { Put, Queue } from './queue-traffic.js'
import { inOrder } from './strays.js'
import type { ValueKey } from './value-key.js'

/** What is known of the acknowledged elements of one queue that did not come out. */
export interface Losses {
  /** Those that are still in the queue for all that is known. */
  readonly pending: number
  /** Those that must have come out by now, by `proof`. */
  readonly due: readonly Put[]
  /** What shows it; null when the options say that the queue was drained. */
  readonly proof: Proof | null
  /** How many of those due may have been taken by operations that do not say what they took. */
  readonly mayHaveBeenTaken: number
  readonly accounts: ReadonlyMap<ValueKey, Account>
}

interface Proof {
  readonly operation: Operation
  /** Puts that it refers to. */
  readonly puts: readonly Operation[]
  /** Continues "although". */
  readonly words: string
}

/** How it is known that an element which did not come out is not in the queue. */
export interface LossRules {
  /** True: the recording ends with an empty queue. */
  readonly drained: boolean
  /** True: the queue is first in, first out, and what was passed over is not in it. */
  readonly fifo: boolean
}

/** Finds the acknowledged elements that did not come out and should have. */
export function lossesOf(
  queue: Queue,
  accounts: ReadonlyMap<ValueKey, Account>,
  { drained, fifo }: LossRules,
): Losses {
  const missing = missingOf(accounts)
  if (missing.length === 0) return { pending: 0, due: [], proof: null, mayHaveBeenTaken: 0, accounts }
  const given = { queue, missing, accounts }
  if (drained) return due(missing, null, given)
  const drain = drainOf(queue, accounts)
  if (drain !== null) {
    const found = drain.op_type === 'drain' ? 'drained the queue' : 'found the queue empty'
    const words = `${tell(drain)} ${found} after every acknowledged element had been put in`
    return due(missing, { operation: drain, puts: [], words }, given)
  }
  const last = fifo ? lastToPass(accounts) : null
  if (last === null) return due([], null, given)
  const passed = missing.filter(({ operation }) => returned(operation) < last.from)
  const words = `${tell(last.delivery)} took a later element, and the queue is first in, first out`
  return due(passed, { operation: last.delivery, puts: last.puts, words }, given)
}

/** Of each value as many acknowledged puts, those that returned last, as did not come out: nothing tells which of them did. */
function missingOf(accounts: ReadonlyMap<ValueKey, Account>): Put[] {
  const missing: Put[] = []
  for (const account of accounts.values()) {
    const { missing: count } = balanceOf(account)
    if (count === 0) continue
    const acknowledged = account.puts.filter((put) => put.acknowledged)
    if (acknowledged.length > 1) acknowledged.sort((a, b) => returned(a.operation) - returned(b.operation))
    for (const put of acknowledged.slice(-count)) missing.push(put)
  }
  return missing.sort((a, b) => a.operation.invoke_ts - b.operation.invoke_ts)
}

function due(
  puts: readonly Put[],
  proof: Proof | null,
  {
    queue,
    missing,
    accounts,
  }: { queue: Queue; missing: readonly Put[]; accounts: ReadonlyMap<ValueKey, Account> },
): Losses {
  const until = proof === null ? Infinity : returned(proof.operation)
  const inTime = (operation: Operation) => operation.invoke_ts <= until
  const mayHaveBeenTaken = queue.unseenDrains.some(inTime) ? Infinity : queue.unseen.filter(inTime).length
  return { pending: missing.length - puts.length, due: puts, proof, mayHaveBeenTaken, accounts }
}

/** The delivery of the element that certainly was put in last of those that came out, and when its put began. */
function lastToPass(
  accounts: ReadonlyMap<ValueKey, Account>,
): { readonly from: number; readonly delivery: Operation; readonly puts: readonly Operation[] } | null {
  let from = -1
  let last: { readonly delivery: Operation; readonly of: Account } | null = null
  for (const account of accounts.values()) {
    const [first] = account.puts
    if (first === undefined || account.initial > 0) continue
    const begun = first.operation.invoke_ts
    if (begun < from) continue
    // What came out before it was put in came from elsewhere, and has passed nothing.
    const out = account.deliveries.find(({ operation }) => returned(operation) >= begun)
    if (out === undefined) continue
    if (last !== null && begun === from && returned(out.operation) >= returned(last.delivery)) continue
    from = begun
    last = { delivery: out.operation, of: account }
  }
  if (last === null) return null
  return { from, delivery: last.delivery, puts: last.of.puts.map(({ operation }) => operation) }
}

/** True when more is missing than unanswered takes can account for. */
export function isLoss({ due: puts, mayHaveBeenTaken }: Losses): boolean {
  return puts.length > mayHaveBeenTaken
}

/** The loss of one of the elements that are due. */
export function lossAnomaly(put: Put, { due: all, proof, mayHaveBeenTaken, accounts }: Losses): Anomaly {
  const { puts = [], deliveries = [] } = accounts.get(put.value) ?? {}
  const although = proof === null ? 'the queue was drained, as the options say' : proof.words
  const equal =
    puts.length === 1 ? '' : `; ${puts.length} equal elements were put in and ${deliveries.length} came out`
  const doubt =
    mayHaveBeenTaken === 0
      ? ''
      : `; takes of unknown outcome can account for at most ${mayHaveBeenTaken} of the ${all.length} that are missing`
  return {
    type: 'lost-acknowledged-element',
    explanation:
      `${tell(put.operation)} was acknowledged and its element never came out, ` +
      `although ${although}${equal}${doubt}`,
    operations: inOrder([
      ...[...puts, ...deliveries].map(({ operation }) => operation),
      ...(proof === null ? [] : [proof.operation, ...proof.puts]),
    ]),
  }
}

/** Why losses of one or several queues cannot be decided; null when they can. */
export function undecidedLosses(losses: readonly Losses[]): string | null {
  const sum = (count: (one: Losses) => number) => losses.reduce((total, one) => total + count(one), 0)
  const taken = sum((one) => one.due.length)
  if (taken > 0) {
    return `${taken} acknowledged elements did not come out, and takes of unknown outcome may have taken them`
  }
  const pending = sum((one) => one.pending)
  if (pending === 0) return null
  return (
    `${pending} acknowledged elements did not come out, and the queue is not known to have been drained: ` +
    'after all puts take elements until one answers null, or `drain`, or say `{ drained: true }`'
  )
}
