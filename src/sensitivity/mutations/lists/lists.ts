import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

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

/** An acknowledged operation that saw some entries of a log by their offsets. */
export interface EntryRead {
  readonly operation: Operation
  /** The offset of each entry that it saw. */
  readonly offsets: readonly number[]
  /** The operation as it would be had it seen another value at one of its places, or for null nothing there. */
  seeing(place: number, value: Json): Operation | null
}

/** Everything that happened to one list that only grows. */
export interface ListHistory {
  readonly object: string
  /** Every value that some operation tried to append, or that was there at first. */
  readonly known: ReadonlySet<string>
  /** By the value as canonical JSON. */
  readonly appends: ReadonlyMap<string, Append>
  readonly reads: readonly ListRead[]
  readonly entryReads: readonly EntryRead[]
}

interface Step {
  readonly object: string
  readonly operation: Operation
  readonly appends?: Json
  readonly read?: ListRead
  readonly entryRead?: EntryRead
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
  const entryReads: EntryRead[] = []
  for (const { operation, appends: value, read, entryRead } of steps) {
    if (read !== undefined) reads.push(read)
    if (entryRead !== undefined) entryReads.push(entryRead)
    if (value === undefined) continue
    const text = canonical(value)
    if (known.has(text)) repeated.add(text)
    known.add(text)
    if (outcomeOf(operation) === 'ok') appends.set(text, { value, operation })
  }
  for (const text of repeated) appends.delete(text)
  return { object, known, appends, reads, entryReads }
}

function stepsOfLog(operation: Operation): readonly Step[] {
  const { op_type: type, key, input, output } = operation
  const object = canonical(key)
  if (type === 'append') return [{ object, operation, appends: input }]
  if (type !== 'read' || outcomeOf(operation) !== 'ok' || output === null) return []
  const entryRead = entriesOf(operation)
  if (entryRead !== null) return [{ object, operation, entryRead }]
  if (input !== null || !Array.isArray(output)) return []
  const seeing = (list: readonly Json[]) => ({ ...operation, output: [...list] })
  return [{ object, operation, read: { operation, list: output, seeing } }]
}

/** Of a read at an offset, and of one that answers `{ from, records: [[offset, value], …] }`. */
function entriesOf(operation: Operation): EntryRead | null {
  const { input, output } = operation
  if (typeof input === 'number') {
    return { operation, offsets: [input], seeing: (_, value) => ({ ...operation, output: value }) }
  }
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return null
  const { records } = output
  if (!Array.isArray(records) || records.length === 0) return null
  const offsets = records.map((record) => (Array.isArray(record) ? Number(record[0]) : Number.NaN))
  const seeing = (place: number, value: Json) => {
    if (value === null) return null
    const others = records.map((record, index) => (index === place ? [offsets[index] ?? 0, value] : record))
    return { ...operation, output: { ...output, records: others } }
  }
  return { operation, offsets, seeing }
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
