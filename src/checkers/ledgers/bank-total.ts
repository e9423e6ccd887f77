import { z } from 'zod'
import type { CheckInput, Checker } from '../checker.js'
import { checkedOptions } from '../checked-options.js'
import { defineChecker, type Judgement } from '../define.js'
import { eventsInOrder } from '../locks/events.js'
import { allOf } from '../anomaly-list.js'
import { BankReads } from './bank-reads.js'
import { changeBy } from './changes.js'
import { Deposits } from './deposits.js'
import { QuietBalances } from './quiet-balances.js'

const name = 'bank-total'

export interface BankTotalOptions {
  /** What all accounts hold together at the start. Default: by the model's `init`, else by the first read. */
  readonly total?: number
  /** Whether a balance may be below 0. Default: forbidden. */
  readonly negative?: 'forbidden' | 'allowed'
}

const schema = z.strictObject({
  total: z.number().optional(),
  negative: z.enum(['forbidden', 'allowed']).optional(),
})

const balancesSchema = z.record(z.string(), z.number())

/**
 * Money is conserved: at every moment the accounts hold as much together as at the start, and as `credit` and `debit` have
 * added and taken since; a `transfer` of any outcome changes nothing of that. No account is below 0, unless that is
 * allowed, and each has a balance.
 *
 * A `read` with the balance of each account shows one moment; one whose input is a list of accounts shows only those. Credits
 * and debits that are unknown or overlap a read leave a range in which its sum must be. The `balance` of one account shows no
 * sum, but those of all accounts do when they are read while nothing changes: no transfer, credit or debit is in flight, and
 * none of unknown outcome came before. O(n log n). Throws DeclarationError when the options are wrong.
 */
export function bankTotal(options: BankTotalOptions = {}): Checker {
  const { total, negative } = checkedOptions(options, {
    checker: name,
    factory: 'bankTotal',
    schema,
    example: "bankTotal({ total: 100, negative: 'allowed' })",
  })
  return defineChecker({
    name,
    pattern: 12,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'output'],
    scope: [
      'money that went to the wrong account, and transfers that were lost or done twice: see exactly-once, linearizable',
      'stale and reordered reads whose sum is right',
      'sums that a part of the credits and debits in flight could explain but not the ones that took place',
    ],
    judge: (input) => judge(input, { total: total ?? null, isNegativeForbidden: negative !== 'allowed' }),
  })
}

interface Rules {
  readonly total: number | null
  readonly isNegativeForbidden: boolean
}

function judge({ operations, model }: CheckInput, { total, isNegativeForbidden }: Rules): Judgement {
  const initial = model?.name === 'ledger' ? balancesSchema.safeParse(model.semantics.init) : null
  const accounts = initial?.success ? Object.keys(initial.data) : []
  const declared = total ?? (initial?.success && accounts.length > 0 ? sumOf(initial.data) : null)
  const deposits = new Deposits()
  const reads = new BankReads({ declared, isNegativeForbidden, deposits })
  const balances = new QuietBalances({ declared, accounts, isNegativeForbidden, deposits })
  for (const operation of operations) balances.knows(operation)

  let changes = 0
  for (const event of eventsInOrder(operations)) {
    const operation = operations[Math.abs(event) - 1]!
    if (operation.op_type === 'read') {
      if (event > 0) reads.called(operation)
      else reads.answered(operation)
      continue
    }
    if (operation.op_type === 'balance') {
      if (event > 0) balances.called(operation)
      else balances.answered(operation)
      continue
    }
    const change = changeBy(operation)
    if (change === null) continue
    if (event > 0) {
      changes += 1
      deposits.called(change)
      balances.changing(operation)
    } else {
      deposits.answered(change)
      balances.changed()
    }
  }
  return {
    consumed: reads.count + balances.count,
    ...allOf([reads.wrong, balances.wrong, reads.missing, reads.negative, balances.negative]),
    undecided: undecidedBy({ reads, balances, deposits }),
    evidence: {
      reads: reads.count,
      sums: reads.sums,
      unreadableReads: reads.unreadable,
      balances: balances.count,
      quietSums: balances.sums,
      changes,
      wrongTotals: reads.wrong.count + balances.wrong.count,
      negativeReads: reads.negative.count + balances.negative.count,
    },
  }
}

function undecidedBy({
  reads,
  balances,
  deposits,
}: {
  reads: BankReads
  balances: QuietBalances
  deposits: Deposits
}): string | null {
  if (reads.count + balances.count === 0) return null
  if (deposits.unreadable > 0) {
    return `${deposits.unreadable} credits or debits do not tell an amount; their input must be a number or { amount }`
  }
  if (reads.sums + balances.sums > 0) return null
  return reads.count > 0
    ? 'no read answered with the balances of all accounts, as { account: number, … }'
    : 'there was no time in which nothing changed and every account was read; let the workload pause and read all balances'
}

function sumOf(balances: Readonly<Record<string, number>>): number {
  return Object.values(balances).reduce((sum, balance) => sum + balance, 0)
}
