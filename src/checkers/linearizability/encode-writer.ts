import type { Columns } from '../../history/columns.js'
import type { Json } from '../../json.js'
import type { Codes, Model, ObjectEncoding } from '../../models/model.js'
import { attributedTo } from '../../models/operation-error.js'
import { OperationView } from './encode-operation.js'
import { PartValueIds } from './encode-values.js'
import { never, type Part } from './part.js'

/** The operations of one object: indexes in the history, in order of invocation. */
export interface Group {
  readonly key: Part['key']
  readonly operations: readonly number[]
}

/** The same in an array of any kind. */
export interface ObjectOperations {
  readonly key: Part['key']
  readonly operations: ArrayLike<number>
}

interface Draft extends Pick<Part, 'object' | 'key' | 'values' | 'lists' | 'process'> {
  readonly start: number
  readonly end: number
}

interface Mark {
  readonly end: number
  readonly parts: number
}

/** Of an operation: two operands, two ranks and its place in the history; and a byte for its kind. */
const integersEach = 5

/** Writes parts one after the other into shared memory. */
export class PartWriter implements Codes {
  readonly columns: Columns
  readonly model: Model
  readonly #ids = new PartValueIds()
  readonly #view: OperationView
  readonly #capacity: number
  readonly #kind: Uint8Array
  readonly #a: Int32Array
  readonly #b: Int32Array
  /** Of all operations the rank of the invocation, and after these of all the rank of the return. */
  readonly #ranks: Int32Array
  readonly #source: Int32Array
  readonly #drafts: Draft[] = []
  #lists: List[] = []
  /** The operation of the history that is being written. */
  #index = 0
  #start = 0
  #end = 0

  constructor(columns: Columns, { model, capacity }: { model: Model; capacity: number }) {
    this.columns = columns
    this.model = model
    this.#view = new OperationView(this)
    this.#capacity = capacity
    // One piece of memory for all: getting many costs more than judging a short history.
    const memory = new SharedArrayBuffer((4 * integersEach + 1) * capacity)
    const integers = (field: number, fields = 1) =>
      new Int32Array(memory, 4 * field * capacity, fields * capacity)
    this.#a = integers(0)
    this.#b = integers(1)
    this.#ranks = integers(2, 2)
    this.#source = integers(4)
    this.#kind = new Uint8Array(memory, 4 * integersEach * capacity, capacity)
  }

  /** A place to go back to. */
  mark(): Mark {
    return { end: this.#end, parts: this.#drafts.length }
  }

  /** Forgets what was written since. */
  backTo({ end, parts }: Mark): void {
    this.#end = end
    this.#drafts.length = parts
  }

  /** False, and nothing written, when the encoding has no words for some operation. */
  add({ key, operations }: ObjectOperations, encoding: ObjectEncoding): boolean {
    const mark = this.mark()
    const start = this.#end
    this.#start = start
    this.#lists = []
    this.#ids.startPart()
    if (encoding.type === 'register') this.#ids.of(this.model.semantics.init)
    if (!this.#encodeAll(operations, encoding)) {
      this.backTo(mark)
      return false
    }
    if (this.#end === start) return true
    const lists = this.#lists
    const count = this.#end - start
    this.#drafts.push({
      object: encoding.type,
      key,
      start,
      end: this.#end,
      values: this.#ids.count,
      lists: lists.length === 0 ? null : joined(lists, count),
      process: tellsProcesses(encoding) ? this.#processes(start, this.#end) : null,
    })
    return true
  }

  idOf(value: Json): number {
    return this.#ids.of(value)
  }

  put(kind: number, a: number, b: number, list?: readonly number[]): void {
    const place = this.#end
    this.#kind[place] = kind
    this.#a[place] = a
    this.#b[place] = b
    this.#source[place] = this.#index
    if (list !== undefined) this.#lists.push({ place: place - this.#start, elements: list })
    this.#end = place + 1
  }

  finish(): Part[] {
    const events = this.#rank()
    const [capacity, ranks] = [this.#capacity, this.#ranks]
    return this.#drafts.map(({ object, key, start, end, values, lists, process }, part) => ({
      object,
      key,
      count: end - start,
      kind: this.#kind.subarray(start, end),
      a: this.#a.subarray(start, end),
      b: this.#b.subarray(start, end),
      lists,
      invoke: ranks.subarray(start, end),
      complete: ranks.subarray(capacity + start, capacity + end),
      process,
      source: this.#source.subarray(start, end),
      events: events[part] as number,
      values,
    }))
  }

  #encodeAll(operations: ArrayLike<number>, encoding: ObjectEncoding): boolean {
    const view = this.#view
    try {
      for (let at = 0; at < operations.length; at += 1) {
        this.#index = operations[at] as number
        if (!encoding.encode(view.at(this.#index), this)) return false
      }
      return true
    } catch (error) {
      throw attributedTo(this.columns.idAt(this.#index), error)
    }
  }

  #processes(start: number, end: number): Int32Array {
    const processes = sharedIntegers(end - start)
    for (let place = start; place < end; place += 1) {
      processes[place - start] = this.columns.process[this.#source[place] as number] as number
    }
    return processes
  }

  /** Numbers the events of each part in order of time. Returns how many each has. */
  #rank(): ArrayLike<number> {
    const { events, count } = this.columns
    this.#ranks.fill(never, this.#capacity)
    const isWhole = this.#drafts.length === 1 && this.#end === count
    if (isWhole) {
      rankAll(events, { ranks: this.#ranks, returns: this.#capacity })
      return [events.length]
    }
    return this.#rankParts()
  }

  #rankParts(): Int32Array {
    const { events, count } = this.columns
    const [ranks, returns, source] = [this.#ranks, this.#capacity, this.#source]
    /** Where each operation of the history stands; -1 for those that were left out. */
    const places = new Int32Array(count).fill(-1)
    const partOf = new Int32Array(this.#end)
    for (const [part, { start, end }] of this.#drafts.entries()) {
      partOf.fill(part, start, end)
      for (let place = start; place < end; place += 1) places[source[place] as number] = place
    }
    const next = new Int32Array(this.#drafts.length)
    for (let at = 0; at < events.length; at += 1) {
      const event = events[at] as number
      const place = places[event > 0 ? event - 1 : -event - 1] as number
      if (place < 0) continue
      const part = partOf[place] as number
      const rank = next[part] as number
      next[part] = rank + 1
      ranks[event > 0 ? place : returns + place] = rank
    }
    return next
  }
}

interface List {
  readonly place: number
  readonly elements: readonly number[]
}

/** Ranks of a part that is the whole history. `returns` is where those of returns begin. */
function rankAll(events: Int32Array, { ranks, returns }: { ranks: Int32Array; returns: number }): void {
  for (let rank = 0; rank < events.length; rank += 1) {
    const event = events[rank] as number
    // Calls and returns alternate at random, which costs a branch more than arithmetic: -1 for a return, 0 for a call.
    const sign = event >> 31
    ranks[(event ^ sign) - sign - 1 - sign * returns] = rank
  }
}

/** To all other types of objects it makes no difference who asks. */
function tellsProcesses({ type }: ObjectEncoding): boolean {
  return type === 'semaphore'
}

function sharedIntegers(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * count))
}

function joined(lists: readonly List[], count: number): NonNullable<Part['lists']> {
  const starts = sharedIntegers(count + 1)
  for (const { place, elements } of lists) starts[place + 1] = elements.length
  for (let place = 0; place < count; place += 1) {
    starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number)
  }
  const elements = sharedIntegers(starts[count] as number)
  for (const list of lists) elements.set(list.elements, starts[list.place])
  return { starts, elements }
}
