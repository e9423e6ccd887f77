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
  /** Where each operation of the history stands; -1 for those that were left out. */
  readonly #place: Int32Array
  readonly #partOf: Int32Array
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
    this.#place = new Int32Array(columns.count).fill(-1)
    this.#partOf = new Int32Array(capacity)
  }

  /** A place to go back to. */
  mark(): Mark {
    return { end: this.#end, parts: this.#drafts.length }
  }

  /** Forgets what was written since. */
  backTo({ end, parts }: Mark): void {
    for (const written of this.#source.subarray(end, this.#end)) this.#place[written] = -1
    this.#end = end
    this.#drafts.length = parts
  }

  /** False, and nothing written, when the encoding has no words for some operation. */
  add({ key, operations }: Group, encoding: ObjectEncoding): boolean {
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
      if (encoded.list !== undefined) lists.push({ place: this.#end - start, elements: encoded.list })
      this.#write(index, encoded)
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

  #write(index: number, { kind, a, b }: EncodedOperation): void {
    const place = this.#end
    this.#kind[place] = kind
    this.#a[place] = a
    this.#b[place] = b
    this.#process[place] = this.columns.process[index] as number
    this.#source[place] = index
    this.#place[index] = place
    this.#partOf[place] = this.#drafts.length
    this.#end += 1
  }

  /** Numbers the events of each part in order of time. Returns how many each has. */
  #rank(): Int32Array {
    const next = new Int32Array(this.#drafts.length)
    const { events } = this.columns
    for (let at = 0; at < events.length; at += 1) {
      const event = events[at] as number
      const place = this.#place[Math.abs(event) - 1] as number
      if (place < 0) continue
      const part = this.#partOf[place] as number
      const rank = next[part] as number
      next[part] = rank + 1
      if (event > 0) this.#invoke[place] = rank
      else this.#complete[place] = rank
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
