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
  const invoked = new Float64Array(count)
  const completed = new Float64Array(count)
  const answered = new Int32Array(count)
  let answers = 0
  for (let call = 0; call < count; call += 1) {
    const index = operations[call] as number
    invoked[call] = columns.invokedAt(index)
    const end = columns.completedAt(index)
    if (end === null) continue
    completed[call] = end
    answered[answers++] = call
  }
  const ends = new Float64Array(answers)
  for (let place = 0; place < answers; place += 1)
    ends[place] = completed[answered[place] as number] as number
  const returns = orderOf(ends).map((place) => answered[place] as number)
  const events = mergeEvents(invoked, completed, returns)
  const invoke = new Int32Array(count)
  const complete = new Int32Array(count).fill(never)
  for (let rank = 0; rank < events.length; rank += 1) {
    const event = events[rank] as number
    if (event > 0) invoke[event - 1] = rank
    else complete[-event - 1] = rank
  }
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
