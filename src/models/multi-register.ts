import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

type Values = Readonly<Record<string, Json>>

const microOperation = z.tuple([
  z.enum(['read', 'r', 'write', 'w']),
  z.union([z.string(), z.number()]),
  z.json(),
])
const transactionSchema = z.array(microOperation)

/**
 * Several registers under one roof: `txn([[read|write, key, value], …])` is applied at once, and an operation sees what
 * an earlier one of the same transaction wrote. `init` maps keys to values; other keys are null.
 * Throws DeclarationError when the semantics are wrong.
 */
export function multiRegister(given?: Partial<Semantics>): Model<Values> {
  const name = 'multi-register'
  const semantics = semanticsOf(name, given)
  const init = semantics.init ?? {}
  if (typeof init !== 'object' || Array.isArray(init)) {
    throw new DeclarationError('model-semantics', `${name}(): init must map keys to values`, {
      hint: 'such as {"x": 0, "y": 0}',
    })
  }

  const transactionOf = (operation: ModelOperation) => {
    // Some recorders put what was read in the answer, others answer nothing: then only the writes are known.
    const known = operation.outcome === 'ok' && operation.output !== null
    const parsed = transactionSchema.safeParse(known ? operation.output : operation.input)
    if (!parsed.success) throw unreadable(name, operation, 'takes a list of [read|write, key, value]')
    return { known, steps: parsed.data }
  }

  return {
    name,
    operations: ['txn'],
    requires: ['node_seen'],
    semantics,
    partition: 'whole',
    init: () => init,
    identity: canonical,
    step(state, operation) {
      if (operation.outcome === 'failed') return state
      const { known, steps } = transactionOf(operation)
      let values: Values = state
      for (const [kind, key, value] of steps) {
        if (kind === 'write' || kind === 'w') {
          values = { ...values, [key]: value }
        } else if (known && !(value === null && semantics.nullRead === 'unknown')) {
          if (canonical(values[key] ?? null) !== canonical(value)) return undefined
        }
      }
      return values
    },
    isObserver: (type, operation) =>
      type === 'txn' &&
      operation !== undefined &&
      (operation.outcome === 'failed' ||
        transactionOf(operation).steps.every(([kind]) => kind === 'read' || kind === 'r')),
    describeOperation: describeCall,
    describeState: describeValue,
  }
}
