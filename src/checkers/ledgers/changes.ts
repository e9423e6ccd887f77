import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'

const account = z.union([z.string(), z.number()])
const transferSchema = z.object({ from: account, to: account })
const amountSchema = z.union([z.number(), z.object({ amount: z.number() }).transform(({ amount }) => amount)])

/** What an operation may do to balances. */
export interface Change {
  readonly accounts: readonly string[]
  /** By how much it changes the sum of all balances; null when it does not tell. */
  readonly sum: number | null
}

/** What a `transfer`, `credit` or `debit` may do; null when it certainly did nothing, or is something else. */
export function changeBy(operation: Operation): Change | null {
  const { op_type: type, key, input, output } = operation
  if (type !== 'transfer' && type !== 'credit' && type !== 'debit') return null
  if (output === false || outcomeOf(operation) === 'failed') return null
  if (type === 'transfer') {
    const parsed = transferSchema.safeParse(input)
    return { accounts: parsed.success ? [String(parsed.data.from), String(parsed.data.to)] : [], sum: 0 }
  }
  const amount = amountSchema.safeParse(input)
  const sum = amount.success ? (type === 'credit' ? amount.data : -amount.data) : null
  return { accounts: [String(key)], sum }
}
