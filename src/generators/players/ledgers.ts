import type { Player, Setting } from '../player.js'

/** Accounts at least. */
const fewest = 3
const mostAmount = 5

/**
 * Accounts whose balances never fall below zero: what would do that is answered by false. With money in `init` it is a bank
 * whose total stays the same: transfers and reads of all. Without, accounts are credited and debited as well.
 * Every change carries a business id of its own.
 */
export function ledgers({ semantics, keys }: Setting): Player {
  const given = Object.entries((semantics.init ?? {}) as Readonly<Record<string, number>>)
  const isBank = given.some(([, balance]) => balance !== 0)
  const names = Array.from({ length: Math.max(keys.length, fewest) }, (_, place) => `a${place}`)
  const balances = new Map(given.length > 0 ? given : names.map((name) => [name, 0]))
  const accounts = [...balances.keys()]
  /** False when there is not so much. */
  const change = (account: string, amount: number): boolean => {
    const next = (balances.get(account) ?? 0) + amount
    if (next < 0) return false
    balances.set(account, next)
    return true
  }

  return {
    draw({ random, fresh }) {
      const percent = random.int(0, 99)
      if (percent < 25) return { type: 'read', key: null, input: null }
      const amount = random.int(1, mostAmount)
      const account = random.pick(accounts)
      const id = `payment-${fresh()}`
      if (isBank || percent < 50) {
        const input = { from: account, to: random.pick(accounts), amount, id }
        return { type: 'transfer', key: null, input }
      }
      if (percent < 60) return { type: 'balance', key: account, input: null }
      return { type: percent < 85 ? 'credit' : 'debit', key: account, input: { amount, id } }
    },
    answer({ type, key, input }) {
      if (type === 'read') return Object.fromEntries(balances)
      if (type === 'balance') return balances.get(key ?? '') ?? 0
      const { from, to, amount } = input as { from: string; to: string; amount: number }
      if (type !== 'transfer') return change(key ?? '', type === 'credit' ? amount : -amount)
      if (!change(from, -amount)) return false
      return change(to, amount)
    },
  }
}
