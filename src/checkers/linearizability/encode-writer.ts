import type { Columns } from '../../history/columns.js'
import type { EncodedOperation, Model, ObjectEncoding } from '../../models/model.js'
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

interface Draft extends Pick<Part, 'object' | 'key' | 'values' | 'lists'> {
  readonly start: number
  readonly end: number
}

interface Mark {
  readonly end: number
  readonly parts: number
}

/** Writes parts one after the other into shared memory. */
export class PartWriter {
  readonly columns: Columns
  readonly model: Model
  readonly #ids = new PartValueIds()
  readonly #view: OperationView
  readonly #kind: Uint8Array
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #invoke: Int32Array
  readonly #complete: Int32Array
  readonly #process: Int32Array
  readonly #source: Int32Array
  readonly #drafts: Draft[] = []
  #end = 0

  constructor(columns: Columns, { model, capacity }: { model: Model; capacity: number }) {
    this.columns = columns
    this.model = model
    this.#view = new OperationView(this)
    this.#kind = new Uint8Array(new SharedArrayBuffer(capacity))
    this.#a = sharedIntegers(capacity)
    this.#b = sharedIntegers(capacity)
    this.#invoke = sharedIntegers(capacity)
    this.#complete = sharedIntegers(capacity).fill(never)
    this.#process = sharedIntegers(capacity)
    this.#source = sharedIntegers(capacity)
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
    this.#ids.startPart()
    if (encoding.type === 'register') this.#ids.of(this.model.semantics.init)
    const lists: { place: number; elements: readonly number[] }[] = []
    for (let at = 0; at < operations.length; at += 1) {
      const index = operations[at] as number
      const encoded = this.#encode(index, encoding)
      if (encoded === 'inexpressible') {
        this.backTo(mark)
        return false
      }
      if (encoded === null) continue
      const place = this.#end
      this.#kind[place] = encoded.kind
      this.#a[place] = encoded.a
      this.#b[place] = encoded.b
      this.#source[place] = index
      if (encoded.list !== undefined) lists.push({ place: place - start, elements: encoded.list })
      this.#end = place + 1
    }
    if (this.#end === start) return true
    const count = this.#end - start
    this.#drafts.push({
      object: encoding.type,
      key,
      start,
      end: this.#end,
      values: this.#ids.count,
      lists: lists.length === 0 ? null : joined(lists, count),
    })
    return true
  }

  finish(): Part[] {
    const events = this.#rank()
    return this.#drafts.map(({ object, key, start, end, values, lists }, part) => ({
      object,
      key,
      count: end - start,
      kind: this.#kind.subarray(start, end),
      a: this.#a.subarray(start, end),
      b: this.#b.subarray(start, end),
      lists,
      invoke: this.#invoke.subarray(start, end),
      complete: this.#complete.subarray(start, end),
      process: this.#process.subarray(start, end),
      source: this.#source.subarray(start, end),
      events: events[part] as number,
      values,
    }))
  }

  #encode(index: number, encoding: ObjectEncoding): EncodedOperation | null | 'inexpressible' {
    try {
      return encoding.encode(this.#view.at(index), this.#ids)
    } catch (error) {
      throw attributedTo(this.columns.idAt(index), error)
    }
  }

  /** Fills in processes, and numbers the events of each part in order of time. Returns how many each has. */
  #rank(): Int32Array {
    const { events, process: processes } = this.columns
    const [invoke, complete, process, source] = [this.#invoke, this.#complete, this.#process, this.#source]
    /** Where each operation of the history stands; -1 for those that were left out. */
    const places = new Int32Array(this.columns.count).fill(-1)
    const partOf = new Int32Array(this.#end)
    for (const [part, { start, end }] of this.#drafts.entries()) {
      partOf.fill(part, start, end)
      for (let place = start; place < end; place += 1) {
        const index = source[place] as number
        process[place] = processes[index] as number
        places[index] = place
      }
    }
    const next = new Int32Array(this.#drafts.length)
    for (let at = 0; at < events.length; at += 1) {
      const event = events[at] as number
      const place = places[event > 0 ? event - 1 : -event - 1] as number
      if (place < 0) continue
      const part = partOf[place] as number
      const rank = next[part] as number
      next[part] = rank + 1
      if (event > 0) invoke[place] = rank
      else complete[place] = rank
    }
    return next
  }
}

function sharedIntegers(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * count))
}

function joined(
  lists: readonly { place: number; elements: readonly number[] }[],
  count: number,
): NonNullable<Part['lists']> {
  const starts = sharedIntegers(count + 1)
  for (const { place, elements } of lists) starts[place + 1] = elements.length
  for (let place = 0; place < count; place += 1) {
    starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number)
  }
  const elements = sharedIntegers(starts[count] as number)
  for (const list of lists) elements.set(list.elements, starts[list.place])
  return { starts, elements }
}
