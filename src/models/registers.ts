import { DeclarationError } from '../errors.js'
import type { OperationField } from '../history/operation.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, Semantics } from './model.js'
import { semanticsOf } from './semantics.js'
import { transactionReader } from './transaction.js'

/** The value of every register by its key; one that is not there is null. */
export type Registers = Readonly<Record<string, Json>>

/**
 * The models of several registers under one roof, which transactions read and write at once: `multi-register` and
 * `rw-register`. An operation sees what an earlier one of the same transaction wrote. `init` maps keys to values.
 * Throws DeclarationError when the semantics are wrong.
 */
export function registersModel(
  { name, requires }: { readonly name: string; readonly requires: readonly OperationField[] },
  given?: Partial<Semantics>,
): Model<Registers> {
  const semantics = semanticsOf(name, given)
  const init = semantics.init ?? {}
  if (typeof init !== 'object' || Array.isArray(init)) {
    throw new DeclarationError('model-semantics', `${name}(): init must map keys to values`, {
      hint: 'such as {"x": 0, "y": 0}',
    })
  }
  const transactions = transactionReader(name, ['w', 'write'])

  return {
    name,
    operations: ['txn'],
    requires,
    semantics,
    partition: 'whole',
    init: () => init,
    identity: canonical,
    step(state, operation) {
      if (operation.outcome === 'failed') return state
      const { known, steps } = transactions.read(operation)
      let values: Registers = state
      for (const step of steps) {
        const [, key, value] = step
        if (!transactions.isRead(step)) {
          values = { ...values, [key]: value }
        } else if (known && !(value === null && semantics.nullRead === 'unknown')) {
          const now = Object.hasOwn(values, key) ? (values[key] ?? null) : null
          if (canonical(now) !== canonical(value)) return undefined
        }
      }
      return values
    },
    isObserver: (type, operation) =>
      type === 'txn' && operation !== undefined && transactions.isObserver(operation),
    describeOperation: describeCall,
    describeState: describeValue,
  }
}
