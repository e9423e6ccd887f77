import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const name = 'ledger'

/** The balance of every account by its name; an account that is not there has 0. */
type Balances = Readonly<Record<string, number>>

const account = z.union([z.string(), z.number()])
/** Of fractions such as 0.1 the sum depends on who adds them, and in which order. */
const whole = z.int()
const balancesSchema = z.record(z.string(), whole)
const transferSchema = z.object({ from: account, to: account, amount: whole })
const amountSchema = z.union([whole, z.object({ amount: whole }).transform(({ amount }) => amount)])

interface Action {
  readonly changes: readonly (readonly [account: string, amount: number])[]
  readonly sees: Balances | null
}

/**
 * Accounts and their balances, all one object: `transfer({ from, to, amount })`, `credit` and `debit` of an amount (or
 * `{ amount, … }`) on the account that is the operation's key, `balance -> n` of that account, and `read -> { account:
 * n, … }` of several at one moment. A change that answers false was refused. Balances may go below 0. Amounts and balances
 * are whole numbers, such as of cents.
 * `init` maps accounts to balances. Throws DeclarationError when the semantics are wrong.
 */
export function ledger(given?: Partial<Semantics>): Model<Balances> {
  const semantics = semanticsOf(name, given, {})
  const parsed = balancesSchema.safeParse(semantics.init ?? {})
  if (!parsed.success) {
    throw new DeclarationError(
      'model-semantics',
      `${name}(): init must map accounts to balances in whole numbers`,
      {
        hint: 'such as {"alice": 10, "bob": 0}',
      },
    )
  }
  const initial = parsed.data

  const actionOf = (operation: ModelOperation): Action | null => {
    const { type, outcome, output, key } = operation
    if (outcome === 'failed') return null
    if (type === 'read' || type === 'balance') {
      if (outcome === 'unknown' || (output === null && semantics.nullRead === 'unknown')) return null
      return {
        changes: [],
        sees:
          type === 'read'
            ? read(
                operation,
                balancesSchema,
                output ?? initial,
                'answers a balance in whole numbers for each account',
              )
            : { [String(key)]: read(operation, whole, output ?? 0, 'answers a balance in whole numbers') },
      }
    }
    if (output === false) return null
    if (type === 'transfer') {
      const { from, to, amount } = read(
        operation,
        transferSchema,
        operation.input,
        'takes { from, to, amount }, the amount in whole numbers',
      )
      return {
        changes: [
          [String(from), -amount],
          [String(to), amount],
        ],
        sees: null,
      }
    }
    const amount = read(
      operation,
      amountSchema,
      operation.input,
      'takes an amount or { amount } in whole numbers',
    )
    return { changes: [[String(key), type === 'debit' ? -amount : amount]], sees: null }
  }

  return {
    name,
    operations: ['transfer', 'credit', 'debit', 'balance', 'read'],
    requires: ['key'],
    semantics,
    partition: 'whole',
    init: () => initial,
    identity: canonical,
    step(state, operation) {
      const action = actionOf(operation)
      if (action === null) return state
      const { changes, sees } = action
      if (sees !== null && Object.entries(sees).some(([who, amount]) => balanceOf(state, who) !== amount)) {
        return undefined
      }
      return changes.reduce<Balances>(
        (balances, [who, amount]) => ({ ...balances, [who]: balanceOf(balances, who) + amount }),
        state,
      )
    },
    isObserver: (type, operation) =>
      type === 'read' || type === 'balance' || (operation !== undefined && actionOf(operation) === null),
    describeOperation: describeCall,
    describeState: (state) => describeValue(state),
  }
}

function balanceOf(balances: Balances, who: string): number {
  return Object.hasOwn(balances, who) ? (balances[who] ?? 0) : 0
}

function read<T>(operation: ModelOperation, schema: z.ZodType<T>, value: unknown, expected: string): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw unreadable(name, operation, expected)
  return parsed.data
}
