import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

/** Reads of all accounts in histories where money only moves; none in others. */
const fullReads = perHistory(({ operations, model }: CleanHistory): readonly Operation[] => {
  const init = model?.name === 'ledger' && isObject(model.semantics.init) ? model.semantics.init : {}
  const accounts = new Set(Object.keys(init))
  for (const operation of operations) {
    const { op_type: type, input } = operation
    if (outcomeOf(operation) !== 'failed' && (type === 'credit' || type === 'debit')) return []
    if (type !== 'transfer' || !isObject(input)) continue
    for (const account of [input['from'], input['to']]) accounts.add(String(account))
  }
  return operations.filter((operation) => {
    const { op_type: type, output } = operation
    if (type !== 'read' || outcomeOf(operation) !== 'ok' || !isObject(output)) return false
    const balances = Object.values(output)
    const isFull = [...accounts].every((account) => Object.hasOwn(output, account))
    return isFull && balances.length > 0 && balances.every((balance) => typeof balance === 'number')
  })
})

/** A read of all accounts sees money that was made or lost. */
export const totalBroken: Mutation = {
  name: 'total-broken',
  about: 'one side of a transfer is applied without the other, or a read sees it half done',
  draw(history, random) {
    return drawFrom(fullReads(history), random, (read) => {
      const balances = read.output as Record<string, number>
      const account = random.pick(Object.keys(balances))
      const by = random.pick([-1, 1]) * random.int(1, 5)
      const balance = (balances[account] ?? 0) + by
      const what =
        `read (operation ${JSON.stringify(read.op_id)}) sees ${balance} on account ${JSON.stringify(account)}, ` +
        `so that all accounts hold ${Math.abs(by)} too ${by > 0 ? 'much' : 'little'}`
      return answering(history, { operation: read, output: { ...balances, [account]: balance }, what })
    })
  },
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
