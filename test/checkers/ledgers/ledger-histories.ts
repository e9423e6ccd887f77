import type fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { played, type Act } from '../linearizability/exact/played.js'

type Balances = Readonly<Record<string, number>>

const init: Balances = { a: 5, b: 3 }

/**
 * Small histories of two accounts that hold 8 together, with operations of these types; now and then an answer is a
 * little too high. Nothing keeps a balance from falling below 0.
 */
export function ledgerHistories(types: readonly string[], spoiltOfTen = 3): fc.Arbitrary<Operation[]> {
  return played<Balances>(
    {
      init,
      act: (_, [kind = 0, amount = 0, from = 0]) => {
        const type = types[kind % types.length]!
        const [payer, payee] = from % 2 === 0 ? ['a', 'b'] : ['b', 'a']
        if (type === 'transfer') return { type, input: { from: payer, to: payee, amount: amount % 4 } }
        // The key of the operation stands in for its input until the history is done.
        return { type, input: type === 'read' ? null : [payer, type === 'balance' ? null : 1 + (amount % 3)] }
      },
      apply: (balances, act) => [changed(balances, act), answer(balances, act)],
      spoil: (output) =>
        typeof output === 'number'
          ? output + 1
          : output === null
            ? null
            : { ...(output as Record<string, Json>), a: Number((output as Balances)['a']) + 1 },
    },
    { most: 7, spoiltOfTen },
  ).map((operations) => operations.map(withKey))
}

function changed(balances: Balances, { type, input }: Act): Balances {
  if (type === 'transfer') {
    const { from, to, amount } = input as { from: string; to: string; amount: number }
    return { ...balances, [from]: balances[from]! - amount, [to]: balances[to]! + amount }
  }
  if (type !== 'credit' && type !== 'debit') return balances
  const [account, amount] = input as [string, number]
  return { ...balances, [account]: balances[account]! + (type === 'credit' ? amount : -amount) }
}

function answer(balances: Balances, { type, input }: Act): Json {
  if (type === 'read') return { ...balances }
  return type === 'balance' ? balances[(input as [string, null])[0]]! : null
}

function withKey(one: Operation): Operation {
  if (!Array.isArray(one.input)) return one
  const [key, input] = one.input as [string, Json]
  return { ...one, key, input }
}
