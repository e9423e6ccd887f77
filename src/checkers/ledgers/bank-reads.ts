import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList } from '../anomaly-list.js'
import { tell } from '../words.js'
import { Base } from './base.js'
import type { Deposits } from './deposits.js'

/** Judges reads of all accounts at one moment, as they go by in order of time. */
export class BankReads {
  readonly wrong = new AnomalyList()
  readonly missing = new AnomalyList()
  readonly negative = new AnomalyList()
  count = 0
  /** Reads whose sum was compared, or that gave the sum. */
  sums = 0
  unreadable = 0
  readonly #base: Base
  readonly #isNegativeForbidden: boolean
  readonly #deposits: Deposits
  readonly #before = new Map<Operation, Readonly<{ in: number; out: number }>>()

  constructor({
    declared,
    isNegativeForbidden,
    deposits,
  }: {
    declared: number | null
    isNegativeForbidden: boolean
    deposits: Deposits
  }) {
    this.#base = new Base(declared)
    this.#isNegativeForbidden = isNegativeForbidden
    this.#deposits = deposits
  }

  called(read: Operation): void {
    if (outcomeOf(read) === 'ok') this.#before.set(read, this.#deposits.now)
  }

  answered(read: Operation): void {
    const before = this.#before.get(read)
    if (before === undefined) return
    this.#before.delete(read)
    this.count += 1
    const balances = balancesIn(read.output)
    if (balances === null) {
      this.unreadable += 1
      return
    }
    const without = balances.filter(([, balance]) => balance === null).map(([account]) => account)
    if (without.length > 0) {
      this.missing.add(() =>
        anomaly('no-balance', [read], `${tell(read)} shows no balance of ${listed(without)}`),
      )
      return
    }
    const below = balances.filter(([, balance]) => balance! < 0)
    if (this.#isNegativeForbidden && below.length > 0) {
      const what = below.map(([account, balance]) => `${account}: ${balance}`)
      this.negative.add(() =>
        anomaly('negative-balance', [read], `${tell(read)} shows balances below 0: ${listed(what)}`),
      )
    }
    // Who asks for some accounts sees some part of the money.
    if (!Array.isArray(read.input)) this.#compare(read, { balances, before })
  }

  #compare(
    read: Operation,
    { balances, before }: { balances: Balances; before: Readonly<{ in: number; out: number }> },
  ): void {
    this.sums += 1
    const sum = balances.reduce((total, [, balance]) => total + balance!, 0)
    const added = this.#deposits.since(before)
    const { least, most, knownBy } = this.#base
    if (this.#base.admits({ least: sum - added.most, most: sum - added.least }, read)) return
    const known = [...knownBy]
    this.wrong.add(() => {
      const range = rangeOf(least + added.least, most + added.most)
      const source = known.length === 0 ? 'as declared' : `by ${known.map(tell).join(' and ')}`
      return anomaly(
        'wrong-total',
        [...known, read],
        `${tell(read)} shows ${sum} in all accounts together, and they hold ${range} ${source}`,
      )
    })
  }
}

type Balances = readonly (readonly [account: string, balance: number | null])[]

function balancesIn(output: Json): Balances | null {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return null
  const balances = Object.entries(output)
  const areReadable = balances.every(([, balance]) => balance === null || typeof balance === 'number')
  return areReadable ? (balances as Balances) : null
}

function rangeOf(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`
}

function listed(what: readonly string[]): string {
  const [first, ...others] = what
  return others.length > 4 ? `${first} and ${others.length} more` : what.join(', ')
}

function anomaly(type: string, operations: readonly Operation[], explanation: string) {
  return {
    type,
    explanation: `${explanation}.`,
    operations: [...new Set(operations)]
      .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
      .map(({ op_id: id }) => id),
  }
}
