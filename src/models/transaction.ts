import type { Json } from '../json.js'
import type { ModelOperation } from './model.js'
import { unreadable } from './operation-error.js'

/** One step of a transaction: what it does, to which key, and the value written or read. */
export type MicroOperation = readonly [does: string, key: string | number, value: Json]

/** Reads transactions, which are lists of micro-operations `[does, key, value]`. */
export interface TransactionReader {
  /**
   * The micro-operations, with what the reads saw where `known`. Throws ModelOperationError when it is no list of them.
   */
  read(operation: ModelOperation): { readonly known: boolean; readonly steps: readonly MicroOperation[] }
  /** Whether the micro-operation only reads. */
  isRead(step: MicroOperation): boolean
  /** Whether the transaction can change nothing: it failed, or has only reads. */
  isObserver(operation: ModelOperation): boolean
}

const readNames: ReadonlySet<string> = new Set(['r', 'read'])

/** Reads the transactions of a model whose other micro-operations have the names in `changes`. */
export function transactionReader(model: string, changes: readonly string[]): TransactionReader {
  const isMicroOperation = (step: Json): boolean => {
    if (!Array.isArray(step) || step.length !== 3) return false
    const [does, key] = step
    return (
      typeof does === 'string' &&
      (readNames.has(does) || changes.includes(does)) &&
      (typeof key === 'string' || typeof key === 'number')
    )
  }
  const expected = `takes a list of [${['r', ...changes].join('|')}, key, value]`

  const read: TransactionReader['read'] = (operation) => {
    // Some recorders put what was read in the answer, others answer nothing: then only the changes are known.
    const known = operation.outcome === 'ok' && operation.output !== null
    const steps = known ? operation.output : operation.input
    if (!Array.isArray(steps) || !steps.every(isMicroOperation)) throw unreadable(model, operation, expected)
    return { known, steps: steps as unknown as readonly MicroOperation[] }
  }
  const isRead = ([does]: MicroOperation) => readNames.has(does)

  return {
    read,
    isRead,
    isObserver: (operation) => operation.outcome === 'failed' || read(operation).steps.every(isRead),
  }
}
