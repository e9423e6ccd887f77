import { outcomeOf, type Operation } from '../../history/operation.js'
import { fieldOf } from '../field-of.js'

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
    const accounts = [fieldOf(input, 'from'), fieldOf(input, 'to')]
    return { accounts: accounts.filter((one) => one !== undefined).map(String), sum: 0 }
  }
  const amount = typeof input === 'number' ? input : fieldOf(input, 'amount')
  const sum = typeof amount !== 'number' ? null : type === 'credit' ? amount : -amount
  return { accounts: [String(key)], sum }
}
