import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { Model, ModelOperation } from '../../../models/model.js'
import { transactionReader } from '../../../models/transaction.js'
import { seenBy } from '../../../sensitivity/model-operation.js'

/** A value of an object. */
export interface Valued {
  readonly key: string | number | null
  /** In the words of the model's identities, or as canonical JSON. */
  readonly value: string
}

/** Which values an operation met and left. */
export interface Accesses {
  readonly reads: readonly Valued[]
  readonly writes: readonly Valued[]
  /** It met any other values than these. */
  readonly differs: readonly Valued[]
}

/** Tells the values that an operation met and left; null when it met and left none. */
export type AccessesOf = (operation: Operation) => Accesses | null

/** How to read the values of a model's operations; undefined when its states are not values that are written and read. */
export function accessesBy(model: Model): AccessesOf | undefined {
  const { registerAction, name } = model
  if (registerAction !== undefined) {
    return (operation) => {
      if (!model.operations.includes(operation.op_type)) return null
      const action = registerAction.call(model, seenBy(model, operation))
      if (action === null) return null
      const valued = (value: string | undefined) =>
        value === undefined ? [] : [{ key: operation.key, value }]
      return { reads: valued(action.reads), writes: valued(action.writes), differs: valued(action.differs) }
    }
  }
  if (name === 'rw-register' || name === 'multi-register')
    return byTransactions(model, ['w', 'write'], oneValue)
  if (name === 'list-append') return byTransactions(model, ['append'], elements)
  return undefined
}

/** The values of a register with versions, which a checker of sessions compares and no model of one value reads. */
export const versionedAccesses: AccessesOf = (operation) => {
  const { key, input, output, complete_ts: completed, error } = operation
  if (completed !== null && error !== null) return null
  if (input !== null) return { reads: [], writes: [{ key, value: canonical(input) }], differs: [] }
  if (completed === null) return null
  const isVersioned = typeof output === 'object' && output !== null && !Array.isArray(output)
  const value = isVersioned && 'value' in output ? (output['value'] ?? null) : output
  return { reads: [{ key, value: canonical(value) }], writes: [], differs: [] }
}

/** A read of one value saw that one; one of a list saw each of its elements. */
type SeenIn = (value: Json) => readonly Json[]

const oneValue: SeenIn = (value) => [value]
const elements: SeenIn = (value) => (Array.isArray(value) ? value : [])

function byTransactions(model: Model, changes: readonly string[], seenIn: SeenIn): AccessesOf {
  const transactions = transactionReader(model.name, changes)
  return (operation) => {
    const seen: ModelOperation = seenBy(model, operation)
    if (seen.outcome === 'failed' || !model.operations.includes(seen.type)) return null
    const { known, steps } = transactions.read(seen)
    const reads: Valued[] = []
    const writes: Valued[] = []
    for (const step of steps) {
      const [, key, value] = step
      if (!transactions.isRead(step)) writes.push({ key, value: canonical(value) })
      else if (known) for (const one of seenIn(value)) reads.push({ key, value: canonical(one) })
    }
    return { reads, writes, differs: [] }
  }
}
