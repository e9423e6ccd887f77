import type { Columns } from '../../../history/columns.js'
import { mergeEvents, orderOf } from '../../../history/columns-order.js'
import type { Model, ModelOperation } from '../../../models/model.js'
import { modelOperationAt } from '../encode-operation.js'
import type { Group } from '../encode-writer.js'
import { never, type Part } from '../part.js'

/** One object's operations as a model sees them, in order of invocation. */
export interface ModelCalls {
  readonly key: Part['key']
  readonly count: number
  /** Ranks of events, all distinct, below `events`. */
  readonly invoke: Int32Array
  /** `never` when the outcome is unknown. */
  readonly complete: Int32Array
  readonly events: number
  seenAt(index: number): ModelOperation
  /** Its id in the history. */
  idAt(index: number): string | number
}

interface Source {
  readonly columns: Columns
  readonly model: Model
}

/** The operations of a group, their times as ranks within it. */
export function callsOfGroup({ key, operations }: Group, source: Source): ModelCalls {
  const { columns } = source
  const count = operations.length
  const invoked = Float64Array.from(operations, (index) => columns.invokedAt(index))
  const ends = operations.map((index) => columns.completedAt(index))
  const answered = [...ends.keys()].filter((index) => ends[index] !== null)
  const completed = Float64Array.from(ends, (end) => end ?? 0)
  const order = orderOf(Float64Array.from(answered, (index) => completed[index] as number))
  const returns = Int32Array.from(order, (place) => answered[place] as number)
  const events = mergeEvents(invoked, completed, returns)
  const invoke = new Int32Array(count)
  const complete = new Int32Array(count).fill(never)
  events.forEach((event, rank) => {
    if (event > 0) invoke[event - 1] = rank
    else complete[-event - 1] = rank
  })
  return { key, count, invoke, complete, events: events.length, ...operationsAt(operations, source) }
}

/** The operations of a part, as the model sees them. */
export function callsOfPart(part: Part, source: Source): ModelCalls {
  const { key, count, invoke, complete, events } = part
  return { key, count, invoke, complete, events, ...operationsAt(part.source, source) }
}

function operationsAt(
  operations: ArrayLike<number>,
  { columns, model }: Source,
): Pick<ModelCalls, 'seenAt' | 'idAt'> {
  return {
    seenAt: (index) => modelOperationAt(operations[index] as number, { columns, model }),
    idAt: (index) => columns.idAt(operations[index] as number),
  }
}
