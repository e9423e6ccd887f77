import { outcomeOf, type Operation } from '../../history/operation.js'
import { AnomalyList } from '../anomaly-list.js'
import { tell } from '../words.js'
import { Base } from './base.js'
import { changeBy } from './changes.js'
import type { Deposits } from './deposits.js'

/** Operations that an anomaly names. */
const most = 100

/**
 * Judges balances of single accounts, as they go by in order of time: those that are read while nothing changes add up.
 * The accounts are the declared ones and all that the history names. Money of others is nothing to the sum, so that a
 * declared total counts only together with declared accounts.
 */
export class QuietBalances {
  readonly wrong = new AnomalyList()
  readonly negative = new AnomalyList()
  count = 0
  /** Quiet times in which every account was read. */
  sums = 0
  readonly #accounts: Set<string>
  readonly #base: Base
  readonly #isNegativeForbidden: boolean
  readonly #deposits: Deposits
  #inFlight = 0
  /** Something of unknown outcome may change balances at any time. */
  #isRestless = false
  /** Counts the changes called so far: a quiet time is one in which it stays. */
  #quietTime = 0
  readonly #calledAt = new Map<Operation, number>()
  readonly #read = new Map<string, Operation>()
  #sum = 0
  #isTold = false

  constructor({
    declared,
    accounts,
    isNegativeForbidden,
    deposits,
  }: {
    declared: number | null
    accounts: readonly string[]
    isNegativeForbidden: boolean
    deposits: Deposits
  }) {
    this.#accounts = new Set(accounts)
    this.#base = new Base(accounts.length > 0 ? declared : null)
    this.#isNegativeForbidden = isNegativeForbidden
    this.#deposits = deposits
  }

  /** Takes the accounts that an operation names. Every operation must have been shown before the first event. */
  knows(operation: Operation): void {
    if (operation.op_type === 'balance') this.#accounts.add(String(operation.key))
    else for (const account of changeBy(operation)?.accounts ?? []) this.#accounts.add(account)
  }

  changing({ complete_ts: answered }: Operation): void {
    this.#quietTime += 1
    this.#read.clear()
    this.#sum = 0
    this.#isTold = false
    if (answered === null) this.#isRestless = true
    else this.#inFlight += 1
  }

  changed(): void {
    this.#inFlight -= 1
  }

  called(balance: Operation): void {
    if (this.#inFlight === 0 && !this.#isRestless && outcomeOf(balance) === 'ok') {
      this.#calledAt.set(balance, this.#quietTime)
    }
  }

  answered(balance: Operation): void {
    const { output, key } = balance
    const calledAt = this.#calledAt.get(balance)
    this.#calledAt.delete(balance)
    if (outcomeOf(balance) !== 'ok' || typeof output !== 'number') return
    this.count += 1
    if (this.#isNegativeForbidden && output < 0) {
      this.negative.add(() => ({
        type: 'negative-balance',
        explanation: `${tell(balance)} shows a balance below 0: ${output}.`,
        operations: [balance.op_id],
      }))
    }
    if (calledAt !== this.#quietTime) return
    const before = this.#read.get(String(key))
    this.#read.set(String(key), balance)
    this.#sum += output - Number(before?.output ?? 0)
    if (before !== undefined && before.output !== output) this.#changed(before, balance)
    if (this.#read.size < this.#accounts.size) return
    if (before === undefined) this.sums += 1
    this.#compare(balance)
  }

  #changed(before: Operation, balance: Operation): void {
    if (this.#isTold) return
    this.#isTold = true
    this.wrong.add(() => ({
      type: 'balance-changed',
      explanation: `${tell(before)} shows ${String(before.output)} and ${tell(balance)} shows ${String(balance.output)}, and nothing changed in between.`,
      operations: idsOf([before, balance]),
    }))
  }

  #compare(last: Operation): void {
    const { in: added, out: taken } = this.#deposits.now
    const atStart = this.#sum - added - taken
    const { least, knownBy } = this.#base
    if (this.#base.admits({ least: atStart, most: atStart }, last) || this.#isTold) return
    this.#isTold = true
    const [expected, held, accounts] = [least + added + taken, this.#sum, this.#read.size]
    const source = knownBy.length === 0 ? 'as declared' : `by the balances up to ${tell(knownBy[0]!)}`
    const read = [...this.#read.values()].slice(-most)
    this.wrong.add(() => ({
      type: 'wrong-total',
      explanation: `while nothing changed the ${accounts} accounts held ${held} together, the last one read by ${tell(last)}, and they hold ${expected} ${source}.`,
      operations: idsOf(read),
    }))
  }
}

function idsOf(operations: readonly Operation[]): Operation['op_id'][] {
  return operations.toSorted((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: id }) => id)
}
