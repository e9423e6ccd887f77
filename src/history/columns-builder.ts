import type { Json } from '../json.js'
import { outcomeCode, type Columns } from './columns.js'
import { mergeEvents, orderOf } from './columns-order.js'
import { IdCodes, Names, ValueCodes } from './columns-values.js'
import type { Operation } from './operation.js'

/** What an invocation tells. */
export type Invocation = Pick<Operation, 'op_id' | 'process_id' | 'invoke_ts' | 'op_type' | 'key' | 'input'>
/** What is told later. */
export type Completion = Pick<
  Operation,
  'complete_ts' | 'output' | 'error' | 'timeout_marker' | 'node_seen' | 'fault_epoch'
>

const firstCapacity = 1_024
/** Stands in the column of completions for the time that there is not. */
const unanswered = -1

/** One array a field. */
class Arrays {
  readonly id: Int32Array
  readonly type: Int32Array
  readonly key: Int32Array
  readonly process: Int32Array
  readonly input: Int32Array
  readonly output: Int32Array
  readonly error: Int32Array
  readonly node: Int32Array
  readonly epoch: Int32Array
  readonly outcome: Uint8Array
  readonly marked: Uint8Array
  readonly invoked: Float64Array
  readonly completed: Float64Array

  constructor(capacity: number) {
    this.id = new Int32Array(capacity)
    this.type = new Int32Array(capacity)
    this.key = new Int32Array(capacity)
    this.process = new Int32Array(capacity)
    this.input = new Int32Array(capacity)
    this.output = new Int32Array(capacity)
    this.error = new Int32Array(capacity)
    this.node = new Int32Array(capacity)
    this.epoch = new Int32Array(capacity)
    this.outcome = new Uint8Array(capacity)
    this.marked = new Uint8Array(capacity)
    this.invoked = new Float64Array(capacity)
    this.completed = new Float64Array(capacity)
  }
}

const fields = Object.keys(new Arrays(0)) as (keyof Arrays)[]

/** Puts operations into columns one by one, in any order of time, keeping no object of theirs but lists as values. */
export class ColumnsBuilder {
  readonly #types = new Names<string>()
  readonly #keys = new Names<string | number | null>()
  readonly #processes = new Names<string | number>()
  readonly #texts = new Names<string | null>([null])
  readonly #values = new ValueCodes()
  readonly #ids = new IdCodes()
  #arrays = new Arrays(firstCapacity)
  #count = 0

  get count(): number {
    return this.#count
  }

  idAt(index: number): string | number {
    return this.#ids.idOf(this.#arrays.id[index] as number)
  }

  typeAt(index: number): string {
    return this.#types.list[this.#arrays.type[index] as number] as string
  }

  keyAt(index: number): string | number | null {
    return this.#keys.list[this.#arrays.key[index] as number] as string | number | null
  }

  /** Adds an operation of which nothing but its invocation is known yet. Returns its index. */
  invoke({ op_id, process_id, invoke_ts, op_type, key, input }: Invocation): number {
    const index = this.#count
    if (index === this.#arrays.type.length) this.#grow()
    const arrays = this.#arrays
    this.#count = index + 1
    arrays.id[index] = this.#ids.codeOf(op_id)
    arrays.type[index] = this.#types.of(op_type)
    arrays.key[index] = this.#keys.of(key)
    arrays.process[index] = this.#processes.of(process_id)
    arrays.input[index] = this.#values.codeOf(input)
    arrays.output[index] = this.#values.codeOf(null)
    arrays.invoked[index] = invoke_ts
    arrays.completed[index] = unanswered
    arrays.outcome[index] = outcomeCode.unknown
    return index
  }

  /** Fills in the rest of an operation. */
  complete(index: number, completion: Completion): void {
    const arrays = this.#arrays
    const { complete_ts: at, output, error } = completion
    arrays.output[index] = this.#values.codeOf(output)
    arrays.error[index] = this.#texts.of(error)
    arrays.node[index] = this.#texts.of(completion.node_seen)
    arrays.epoch[index] = this.#texts.of(completion.fault_epoch)
    arrays.marked[index] = completion.timeout_marker ? 1 : 0
    if (at === null) return
    arrays.completed[index] = at
    arrays.outcome[index] = error === null ? outcomeCode.ok : outcomeCode.failed
  }

  /** Adds a whole operation. */
  add(operation: Operation): void {
    this.complete(this.invoke(operation), operation)
  }

  /** Replaces times by others, such as positions by what the events say of their time. */
  retime(timeOf: (time: number) => number): void {
    const { invoked, completed } = this.#arrays
    for (let index = 0; index < this.count; index += 1) {
      invoked[index] = timeOf(invoked[index] as number)
      if (completed[index] !== unanswered) completed[index] = timeOf(completed[index] as number)
    }
  }

  /** The columns, in order of invocation; operations invoked at the same time stay in the order of adding. */
  finish(): { columns: Columns; order: Int32Array } {
    const { count } = this
    const order = orderOf(this.#arrays.invoked.subarray(0, count))
    const isOrdered = order.every((index, place) => index === place)
    const arrays = isOrdered ? this.#arrays : ordered(this.#arrays, order)
    const completed = arrays.completed.subarray(0, count)
    const events = mergeEvents(arrays.invoked.subarray(0, count), completed, returnsOf(completed))
    return { order, columns: this.#columns(arrays, { events, hasTimes: true }) }
  }

  /** The columns of operations that were added in order of invocation, when the order of all `events` is known. */
  finishInOrder(told: Pick<Columns, 'events' | 'hasTimes'>): Columns {
    return this.#columns(this.#arrays, told)
  }

  #columns(arrays: Arrays, { events, hasTimes }: Pick<Columns, 'events' | 'hasTimes'>): Columns {
    const { count } = this
    const ids = this.#ids
    const values = this.#values
    const [types, keys, processes, texts] = [this.#types, this.#keys, this.#processes, this.#texts].map(
      ({ list }) => list,
    ) as [string[], (string | number | null)[], (string | number)[], (string | null)[]]
    const [type, key, process] = [arrays.type, arrays.key, arrays.process].map((column) =>
      column.subarray(0, count),
    ) as [Int32Array, Int32Array, Int32Array]
    const outcome = arrays.outcome.subarray(0, count)
    const invoked = arrays.invoked.subarray(0, count)
    const completed = arrays.completed.subarray(0, count)
    const completedAt = (index: number) =>
      completed[index] === unanswered ? null : (completed[index] as number)
    const idAt = (index: number) => ids.idOf(arrays.id[index] as number)
    const valueAt = (column: Int32Array, index: number): Json => values.valueOf(column[index] as number)
    const textAt = (column: Int32Array, index: number) => texts[column[index] as number] as string | null
    return {
      ...{ count, type, key, process, types, keys, processes, outcome, events, hasTimes, completedAt },
      idAt,
      inputAt: (index) => valueAt(arrays.input, index),
      outputAt: (index) => valueAt(arrays.output, index),
      invokedAt: (index) => invoked[index] as number,
      operationAt: (index) => ({
        op_id: idAt(index),
        process_id: processes[process[index] as number] as string | number,
        invoke_ts: invoked[index] as number,
        complete_ts: completedAt(index),
        op_type: types[type[index] as number] as string,
        key: keys[key[index] as number] as string | number | null,
        input: valueAt(arrays.input, index),
        output: valueAt(arrays.output, index),
        error: textAt(arrays.error, index),
        timeout_marker: arrays.marked[index] === 1,
        node_seen: textAt(arrays.node, index),
        fault_epoch: textAt(arrays.epoch, index),
      }),
    }
  }

  #grow(): void {
    const grown = new Arrays(this.#arrays.type.length * 2)
    for (const field of fields) grown[field].set(this.#arrays[field])
    this.#arrays = grown
  }
}

/** Operations in columns. `operationAt` gives back the very operations. */
export function columnsOf(operations: readonly Operation[]): Columns {
  const builder = new ColumnsBuilder()
  for (const operation of operations) builder.add(operation)
  const { columns, order } = builder.finish()
  return { ...columns, operationAt: (index) => operations[order[index] as number] as Operation }
}

function ordered(from: Arrays, order: Int32Array): Arrays {
  const sorted = new Arrays(order.length)
  for (const field of fields) {
    const [source, target] = [from[field], sorted[field]]
    for (let place = 0; place < order.length; place += 1) {
      target[place] = source[order[place] as number] as number
    }
  }
  return sorted
}

/** The answered operations in order of their answers. */
function returnsOf(completed: Float64Array): Int32Array {
  const answered = new Int32Array(completed.length)
  let count = 0
  for (let index = 0; index < completed.length; index += 1) {
    if (completed[index] === unanswered) continue
    answered[count] = index
    count += 1
  }
  const times = new Float64Array(count)
  for (let place = 0; place < count; place += 1) times[place] = completed[answered[place] as number] as number
  const order = orderOf(times)
  for (let place = 0; place < count; place += 1) order[place] = answered[order[place] as number] as number
  return order
}
