import { outcomeCode, type Columns } from '../../history/columns.js'
import { canonical } from '../../models/canonical.js'
import type { EncodedOperation, Model, ModelOperation, ObjectEncoding } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import { PartValueIds } from './encode-values.js'
import { never, type Part } from './part.js'

/** A history as parts for the exact checkers, and what they cannot express. */
export interface Encoded {
  readonly parts: readonly Part[]
  /** What has to be searched as it is: indexes of operations by object, in order of invocation. */
  readonly inexpressible: readonly { readonly key: Part['key']; readonly operations: readonly number[] }[]
  /** Operations that the model understands, whatever their outcome. */
  readonly consumed: number
  /** Types that the model does not understand, in order of first use. */
  readonly foreignTypes: readonly string[]
}

/**
 * Splits a history by key, and by element where the model says so, and puts every part in columns.
 *
 * Left out: operations of types that the model does not know, failed ones unless the model observes failures, observers
 * of unknown outcome, and what the encoding says means nothing. By locality (Herlihy and Wing, 1990) a history of many
 * objects is linearizable exactly when the history of each object is. All parts lie in shared memory.
 *
 * Throws ModelOperationError, with the operation's id, when the model cannot read an operation.
 */
export function partsOf(columns: Columns, model: Model): Encoded {
  const { groups, consumed, foreignTypes } = groupsOf(columns, model)
  const encoding = model.object
  if (encoding === undefined) return { parts: [], inexpressible: groups, consumed, foreignTypes }
  const split = groups.flatMap((group) => splitByElement(group, { columns, encoding }))
  const writer = new PartWriter(columns, { model, encoding, capacity: consumed })
  const inexpressible = split.filter((group) => !writer.add(group))
  return { parts: writer.finish(), inexpressible, consumed, foreignTypes }
}

/** An operation as the model sees it. */
export function modelOperationAt(columns: Columns, index: number): ModelOperation {
  const outcome = columns.outcome[index]
  return {
    type: columns.types[columns.type[index] as number] as string,
    key: columns.keys[columns.key[index] as number] as Part['key'],
    input: columns.inputAt(index),
    output: outcome === outcomeCode.ok ? columns.outputAt(index) : null,
    outcome: outcome === outcomeCode.ok ? 'ok' : outcome === outcomeCode.failed ? 'failed' : 'unknown',
  }
}

interface Group {
  readonly key: Part['key']
  readonly operations: readonly number[]
}

/** The operations that may matter, by object. */
function groupsOf(
  columns: Columns,
  model: Model,
): Pick<Encoded, 'consumed' | 'foreignTypes'> & { groups: Group[] } {
  const known = columns.types.map((type) => model.operations.includes(type))
  const skipsFailed = model.semantics.failed === 'ignored'
  const byKey: number[][] = []
  const groups: Group[] = []
  let consumed = 0
  for (let index = 0; index < columns.count; index += 1) {
    if (known[columns.type[index] as number] !== true) continue
    consumed += 1
    const outcome = columns.outcome[index]
    if (skipsFailed && outcome === outcomeCode.failed) continue
    if (outcome === outcomeCode.unknown && isObserver(columns, index, model)) continue
    const keyId = model.partition === 'key' ? (columns.key[index] as number) : 0
    let operations = byKey[keyId]
    if (operations === undefined) {
      operations = byKey[keyId] = []
      groups.push({
        key: model.partition === 'key' ? (columns.keys[keyId] as Part['key']) : null,
        operations,
      })
    }
    operations.push(index)
  }
  return { groups, consumed, foreignTypes: columns.types.filter((_, type) => known[type] !== true) }
}

function isObserver(columns: Columns, index: number, model: Model): boolean {
  const operation = modelOperationAt(columns, index)
  return attributed(columns.idAt(index), () => model.isObserver(operation.type, operation))
}

/** The group's operations by element; whole when one of them concerns more than one element. */
function splitByElement(
  group: Group,
  { columns, encoding }: { columns: Columns; encoding: ObjectEncoding },
): Group[] {
  if (encoding.element === undefined) return [group]
  const byElement = new Map<string, number[]>()
  for (const index of group.operations) {
    const operation = modelOperationAt(columns, index)
    const element = attributed(columns.idAt(index), () => encoding.element?.(operation))
    if (element === undefined || element === null) return [group]
    const name = canonical(element)
    const operations = byElement.get(name)
    if (operations) operations.push(index)
    else byElement.set(name, [index])
  }
  return [...byElement.values()].map((operations) => ({ key: group.key, operations }))
}

/** Writes parts one after the other into shared memory. */
class PartWriter {
  readonly #columns: Columns
  readonly #model: Model
  readonly #encoding: ObjectEncoding
  readonly #ids = new PartValueIds()
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
  readonly #drafts: { key: Part['key']; start: number; end: number; values: number; lists: Part['lists'] }[] =
    []
  #end = 0

  constructor(
    columns: Columns,
    { model, encoding, capacity }: { model: Model; encoding: ObjectEncoding; capacity: number },
  ) {
    this.#columns = columns
    this.#model = model
    this.#encoding = encoding
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

  /** False, and nothing written, when the encoding has no words for some operation. */
  add({ key, operations }: Group): boolean {
    const start = this.#end
    this.#ids.startPart()
    if (this.#encoding.type === 'register') this.#ids.of(this.#model.semantics.init)
    const lists: { place: number; elements: readonly number[] }[] = []
    for (const index of operations) {
      const encoded = this.#encode(index)
      if (encoded === 'inexpressible') {
        for (const written of this.#source.subarray(start, this.#end)) this.#place[written] = -1
        this.#end = start
        return false
      }
      if (encoded === null) continue
      if (encoded.list !== undefined) lists.push({ place: this.#end - start, elements: encoded.list })
      this.#write(index, encoded)
    }
    if (this.#end === start) return true
    const count = this.#end - start
    this.#drafts.push({
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
    return this.#drafts.map(({ key, start, end, values, lists }, part) => ({
      object: this.#encoding.type,
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

  #encode(index: number): EncodedOperation | null | 'inexpressible' {
    const operation = modelOperationAt(this.#columns, index)
    try {
      return this.#encoding.encode(operation, this.#ids)
    } catch (error) {
      return attributed(this.#columns.idAt(index), () => {
        throw error
      })
    }
  }

  #write(index: number, { kind, a, b }: EncodedOperation): void {
    const place = this.#end
    this.#kind[place] = kind
    this.#a[place] = a
    this.#b[place] = b
    this.#process[place] = this.#columns.process[index] as number
    this.#source[place] = index
    this.#place[index] = place
    this.#partOf[place] = this.#drafts.length
    this.#end += 1
  }

  /** Numbers the events of each part in order of time. Returns how many each has. */
  #rank(): Int32Array {
    const next = new Int32Array(this.#drafts.length)
    for (const event of this.#columns.events) {
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
  for (const list of lists) elements.set(list.elements, starts[list.place] as number)
  return { starts, elements }
}
