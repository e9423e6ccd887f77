import { outcomeCode, type Columns } from '../../history/columns.js'
import type { Json } from '../../json.js'
import type { Codes, Model, ObjectEncoding } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import { OperationView } from './encode-operation.js'
import { PartValueIds } from './encode-values.js'
import { PartWriter, type Group, type ObjectOperations } from './encode-writer.js'
import type { Part } from './part.js'

/** A history as parts for the exact checkers, and what they cannot express. */
export interface Encoded {
  readonly parts: readonly Part[]
  /** What has to be searched as it is: operations by object. */
  readonly inexpressible: readonly Group[]
  /** Operations that the model understands, whatever their outcome. */
  readonly consumed: number
  /** Types that the model does not understand, in order of first use. */
  readonly foreignTypes: readonly string[]
  /** The values of a part by their ids. */
  valuesOf(part: Part): readonly Json[]
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
  if (encoding === undefined)
    return { parts: [], inexpressible: groups.map(asGroup), consumed, foreignTypes, valuesOf: () => [] }
  const writer = new PartWriter(columns, { model, capacity: consumed })
  const inexpressible = groups.flatMap((group) => writeObject(group, { writer, encoding })).map(asGroup)
  const parts = writer.finish()
  const valuesOf = (part: Part) => valuesIn(part, { columns, model, encoding })
  return { parts, inexpressible, consumed, foreignTypes, valuesOf }
}

function asGroup({ key, operations }: ObjectOperations): Group {
  return { key, operations: Array.from(operations) }
}

/** Encodes the part once more, since ids are given in order of first use, and keeps the values this time. */
function valuesIn(
  part: Part,
  { columns, model, encoding }: { columns: Columns; model: Model; encoding: ObjectEncoding },
): readonly Json[] {
  let used: ObjectEncoding | undefined = encoding
  while (used !== undefined && used.type !== part.object) used = used.otherwise
  const values: Json[] = []
  const ids = new PartValueIds((value) => values.push(value))
  if (part.object === 'register') ids.of(model.semantics.init)
  const view = new OperationView({ columns, model })
  const codes: Codes = { idOf: (value) => ids.of(value), put: () => {} }
  for (const index of part.source) used?.encode(view.at(index), codes)
  return values
}

/** Writes the parts of one key, by the first encoding that has words for all of them. Returns what is left. */
function writeObject(
  group: ObjectOperations,
  { writer, encoding }: { writer: PartWriter; encoding: ObjectEncoding },
): readonly ObjectOperations[] {
  const mark = writer.mark()
  const write = () =>
    splitByElement(group, { writer, encoding }).filter((part) => !writer.add(part, encoding))
  const left = write()
  if (left.length === 0 || encoding.otherwise === undefined) return left
  writer.backTo(mark)
  if (writeObject(group, { writer, encoding: encoding.otherwise }).length === 0) return []
  writer.backTo(mark)
  return write()
}

/** The operations that may matter, by object. */
function groupsOf(
  columns: Columns,
  model: Model,
): Pick<Encoded, 'consumed' | 'foreignTypes'> & { groups: ObjectOperations[] } {
  const { count, type, outcome, types } = columns
  const known = Uint8Array.from(types, (name) => Number(model.operations.includes(name)))
  const skipsFailed = model.semantics.failed === 'ignored'
  const view = new OperationView({ columns, model })
  const kept = new Int32Array(count)
  let keptCount = 0
  let consumed = 0
  for (let index = 0; index < count; index += 1) {
    if (known[type[index] as number] === 0) continue
    consumed += 1
    const its = outcome[index]
    if (skipsFailed && its === outcomeCode.failed) continue
    if (its === outcomeCode.unknown && isObserver(index, { columns, model, view })) continue
    kept[keptCount] = index
    keptCount += 1
  }
  return {
    groups: byObject(kept.subarray(0, keptCount), { columns, model }),
    consumed,
    foreignTypes: types.filter((_, id) => known[id] === 0),
  }
}

function isObserver(
  index: number,
  { columns, model, view }: { columns: Columns; model: Model; view: OperationView },
): boolean {
  const operation = view.at(index)
  return attributed(columns.idAt(index), () => model.isObserver(operation.type, operation))
}

/** Operations by object, the one that was used first first. */
function byObject(
  operations: Int32Array,
  { columns, model }: { columns: Columns; model: Model },
): ObjectOperations[] {
  if (operations.length === 0) return []
  const { key, keys } = columns
  if (model.partition !== 'key') return [{ key: null, operations }]
  if (keys.length === 1) return [{ key: keys[0] as Part['key'], operations }]
  const counts = new Int32Array(keys.length)
  for (let at = 0; at < operations.length; at += 1) {
    const id = key[operations[at] as number] as number
    counts[id] = (counts[id] as number) + 1
  }
  const groups: { key: Part['key']; operations: Int32Array }[] = []
  /** By key, where its next operation comes in a list of all. */
  const next = new Int32Array(keys.length).fill(-1)
  const all = new Int32Array(operations.length)
  let end = 0
  for (let at = 0; at < operations.length; at += 1) {
    const index = operations[at] as number
    const id = key[index] as number
    if (next[id] === -1) {
      const start = end
      end += counts[id] as number
      next[id] = start
      groups.push({ key: keys[id] as Part['key'], operations: all.subarray(start, end) })
    }
    const place = next[id] as number
    all[place] = index
    next[id] = place + 1
  }
  return groups
}

/** The group's operations by element; whole when one of them concerns more than one element. */
function splitByElement(
  group: ObjectOperations,
  { writer: { columns, model }, encoding }: { writer: PartWriter; encoding: ObjectEncoding },
): ObjectOperations[] {
  if (encoding.element === undefined) return [group]
  const view = new OperationView({ columns, model })
  const ids = new PartValueIds()
  const byElement: number[][] = []
  for (let at = 0; at < group.operations.length; at += 1) {
    const index = group.operations[at] as number
    const element = attributed(columns.idAt(index), () => encoding.element?.(view.at(index)))
    if (element === undefined || element === null) return [group]
    ;(byElement[ids.of(element)] ??= []).push(index)
  }
  return byElement.map((operations) => ({ key: group.key, operations }))
}
