import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import { grouped } from '../../../checkers/grouped.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { Bounds, type Addition } from '../counters/bounds.js'

interface LedgerHistory {
  readonly reads: readonly Operation[]
  boundsOf(account: string): Bounds
}

/** Null when the model is of no ledger, or some change does not say how much. */
const ledgerHistory = perHistory(({ operations, model }: CleanHistory): LedgerHistory | 'none' => {
  if (model?.name !== 'ledger') return 'none'
  const changes: (Addition & { readonly account: string })[] = []
  const reads: Operation[] = []
  for (const operation of operations) {
    const { op_type: type, output } = operation
    const outcome = outcomeOf(operation)
    if (type === 'read' || type === 'balance') {
      if (outcome === 'ok' && (typeof output === 'number' || isObject(output))) reads.push(operation)
    } else if (outcome !== 'failed' && output !== false) {
      const its = changesOf(operation)
      if (its.some(({ by }) => !Number.isFinite(by))) return 'none'
      changes.push(...its)
    }
  }
  const init = isObject(model.semantics.init) ? model.semantics.init : {}
  const accounts = grouped(changes, ({ account }) => account)
  const made = new Map<string, Bounds>()
  const boundsOf = (account: string) => {
    const bounds = made.get(account) ?? new Bounds(Number(init[account] ?? 0), accounts.get(account) ?? [])
    made.set(account, bounds)
    return bounds
  }
  return { reads, boundsOf }
})

function changesOf(operation: Operation): (Addition & { readonly account: string })[] {
  const { op_type: type, key, input } = operation
  const amount = isObject(input) ? Number(input['amount']) : Number(input ?? Number.NaN)
  if (type !== 'transfer') {
    return [{ account: String(key), by: type === 'debit' ? -amount : amount, operation }]
  }
  const { from = null, to = null } = isObject(input) ? input : {}
  if (from === to) return []
  return [
    { account: String(from), by: -amount, operation },
    { account: String(to), by: amount, operation },
  ]
}

/** A read sees less on an account than what was acknowledged, or more than what can have come in. */
export const balanceOutOfBounds: Mutation = {
  name: 'balance-out-of-bounds',
  about: 'an acknowledged change of a balance is lost, or one is applied twice',
  draw(history, random) {
    const ledger = ledgerHistory(history)
    if (ledger === 'none') return null
    return drawFrom(ledger.reads, random, (read) => {
      const { output } = read
      const accounts = isObject(output) ? Object.keys(output) : [String(read.key)]
      if (accounts.length === 0) return null
      const account = random.pick(accounts)
      const { least, most } = ledger.boundsOf(account).of(read)
      const isBelow = random.int(0, 1) === 0
      const balance = isBelow ? least - 1 : most + 1
      const bound = isBelow
        ? `at least ${least} is acknowledged by then`
        : `at most ${most} can be there by then`
      const what =
        `${read.op_type} (operation ${JSON.stringify(read.op_id)}) sees ${balance} on account ` +
        `${JSON.stringify(account)}, although ${bound}`
      const answer = isObject(output) ? { ...output, [account]: balance } : balance
      return answering(history, { operation: read, output: answer, what })
    })
  },
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
