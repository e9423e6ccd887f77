import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../grouped.js'

/** Something that was appended once, by an acknowledged operation. */
export interface Append {
  readonly value: Json
  readonly operation: Operation
}

/** An acknowledged operation that saw a whole list. */
export interface ListRead {
  readonly operation: Operation
  readonly list: readonly Json[]
  /** The operation as it would be had it seen another list. */
  seeing(list: readonly Json[]): Operation
}

/** Everything that happened to one list that only grows. */
export interface ListHistory {
  readonly object: string
  /** Every value that some operation tried to append, or that was there at first. */
  readonly known: ReadonlySet<string>
  /** By the value as canonical JSON. */
  readonly appends: ReadonlyMap<string, Append>
  readonly reads: readonly ListRead[]
}

interface Step {
  readonly object: string
  readonly operation: Operation
  readonly appends?: Json
  readonly read?: ListRead
}

/** The history of each list of logs and of transactions that append. */
export const listHistories = perHistory(({ operations, model }: CleanHistory): readonly ListHistory[] => {
  const steps = operations.flatMap((operation): readonly Step[] => {
    if (operation.op_type === 'txn') return model?.name === 'list-append' ? stepsOfTransaction(operation) : []
    return stepsOfLog(operation)
  })
  const objects = grouped(steps, ({ object }) => object)
  const init = model?.name === 'log' && Array.isArray(model.semantics.init) ? model.semantics.init : []
  return [...objects].map(([object, its]) => historyOf(object, its, init.map(canonical)))
})

function historyOf(object: string, steps: readonly Step[], initial: readonly string[]): ListHistory {
  const known = new Set(initial)
  const repeated = new Set(initial)
  const appends = new Map<string, Append>()
  const reads: ListRead[] = []
  for (const { operation, appends: value, read } of steps) {
    if (read !== undefined) reads.push(read)
    if (value === undefined) continue
    const text = canonical(value)
    if (known.has(text)) repeated.add(text)
    known.add(text)
    if (outcomeOf(operation) === 'ok') appends.set(text, { value, operation })
  }
  for (const text of repeated) appends.delete(text)
  return { object, known, appends, reads }
}

function stepsOfLog(operation: Operation): readonly Step[] {
  const { op_type: type, key, input, output } = operation
  const object = canonical(key)
  if (type === 'append') return [{ object, operation, appends: input }]
  if (type !== 'read' || outcomeOf(operation) !== 'ok' || input !== null || !Array.isArray(output)) return []
  const seeing = (list: readonly Json[]) => ({ ...operation, output: [...list] })
  return [{ object, operation, read: { operation, list: output, seeing } }]
}

function stepsOfTransaction(operation: Operation): readonly Step[] {
  const outcome = outcomeOf(operation)
  const steps = outcome === 'ok' && operation.output !== null ? operation.output : operation.input
  if (!Array.isArray(steps)) return []
  const own = new Set<string>()
  return steps.flatMap((step, place): readonly Step[] => {
    if (!Array.isArray(step)) return []
    const [does, key = null, value = null] = step
    const object = canonical(typeof key === 'number' ? String(key) : key)
    if (does === 'append') {
      own.add(object)
      return [{ object, operation, appends: value }]
    }
    // What a transaction sees after its own appends is not another's doing.
    if (outcome !== 'ok' || !Array.isArray(value) || own.has(object)) return []
    const seeing = (list: readonly Json[]) => ({
      ...operation,
      output: steps.map((other, index) => (index === place ? [does ?? 'r', key, [...list]] : other)),
    })
    return [{ object, operation, read: { operation, list: value, seeing } }]
  })
}

/** For words: a read that saw a list. */
export function named({
  operation: { op_type: type, op_id: id },
}: {
  readonly operation: Operation
}): string {
  return `${type} (operation ${JSON.stringify(id)})`
}
