import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Model, ModelOperation } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'

/** An operation as this checker sees it. */
export interface Call {
  readonly operation: Operation
  readonly seen: ModelOperation
  readonly isObserver: boolean
  /** False when its outcome is unknown: then it may also never have happened. */
  readonly isCertain: boolean
  /** Its object: the key where the model judges each key by itself. */
  readonly key: string | number | null
}

export interface Calls {
  /** In order of invocation. */
  readonly calls: readonly Call[]
  /** Operations that the model understands, whatever their outcome. */
  readonly consumed: number
  /** Types that the model does not understand, in order of first use. */
  readonly foreignTypes: readonly string[]
}

/**
 * The operations that may matter. Left out are those of types that the model does not know, failed ones unless the
 * model observes failures, and observers of unknown outcome, which say nothing.
 */
export function callsOf(operations: readonly Operation[], model: Model): Calls {
  const known = new Set(model.operations)
  const needsProcess = model.requires.includes('process_id')
  const foreignTypes = new Set<string>()
  const calls: Call[] = []
  let consumed = 0
  for (const operation of operations) {
    const { op_type: type, key, input } = operation
    if (!known.has(type)) {
      foreignTypes.add(type)
      continue
    }
    consumed += 1
    const outcome = outcomeOf(operation)
    if (outcome === 'failed' && model.semantics.failed === 'ignored') continue
    const output = outcome === 'ok' ? operation.output : null
    const plain: ModelOperation = { type, key, input, output, outcome }
    const seen = needsProcess ? { ...plain, process: operation.process_id } : plain
    const isObserver = attributed(operation.op_id, () => model.isObserver(type, seen))
    const isCertain = outcome !== 'unknown'
    if (isObserver && !isCertain) continue
    calls.push({ operation, seen, isObserver, isCertain, key: model.partition === 'key' ? key : null })
  }
  calls.sort((a, b) => a.operation.invoke_ts - b.operation.invoke_ts)
  return { calls, consumed, foreignTypes: [...foreignTypes] }
}
