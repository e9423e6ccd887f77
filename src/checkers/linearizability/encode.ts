import { outcomeCode, type Columns } from '../../history/columns.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import type { Model, ObjectEncoding } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import { modelOperationAt } from './encode-operation.js'
import { PartValueIds } from './encode-values.js'
import { PartWriter, type Group } from './encode-writer.js'
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
    return { parts: [], inexpressible: groups, consumed, foreignTypes, valuesOf: () => [] }
  const writer = new PartWriter(columns, { model, capacity: consumed })
  const inexpressible = groups.flatMap((group) => writeObject(group, { writer, encoding }))
  const parts = writer.finish()
  const valuesOf = (part: Part) => valuesIn(part, { columns, model, encoding })
  return { parts, inexpressible, consumed, foreignTypes, valuesOf }
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
  for (const index of part.source) used?.encode(modelOperationAt(index, { columns, model }), ids)
  return values
}

/** Writes the parts of one key, by the first encoding that has words for all of them. Returns what is left. */
function writeObject(
  group: Group,
  { writer, encoding }: { writer: PartWriter; encoding: ObjectEncoding },
): readonly Group[] {
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
): Pick<Encoded, 'consumed' | 'foreignTypes'> & { groups: Group[] } {
  const known = columns.types.map((type) => model.operations.includes(type))
  const matters = new Uint8Array(columns.count)
  const counts = new Int32Array(model.partition === 'key' ? columns.keys.length : 1)
  const skipsFailed = model.semantics.failed === 'ignored'
  let consumed = 0
  for (let index = 0; index < columns.count; index += 1) {
    if (known[columns.type[index] as number] !== true) continue
    consumed += 1
    const outcome = columns.outcome[index]
    if (skipsFailed && outcome === outcomeCode.failed) continue
    if (outcome === outcomeCode.unknown && isObserver(columns, index, model)) continue
    matters[index] = 1
    const object = model.partition === 'key' ? (columns.key[index] as number) : 0
    counts[object] = (counts[object] as number) + 1
  }
  const byObject = Array.from(counts, (count) => new Array<number>(count))
  const next = new Int32Array(counts.length)
  const groups: Group[] = []
  for (let index = 0; index < columns.count; index += 1) {
    if (matters[index] === 0) continue
    const object = model.partition === 'key' ? (columns.key[index] as number) : 0
    const place = next[object] as number
    const operations = byObject[object] as number[]
    operations[place] = index
    next[object] = place + 1
    if (place > 0) continue
    const key = model.partition === 'key' ? (columns.keys[object] as Part['key']) : null
    groups.push({ key, operations })
  }
  return { groups, consumed, foreignTypes: columns.types.filter((_, type) => known[type] !== true) }
}

function isObserver(columns: Columns, index: number, model: Model): boolean {
  const operation = modelOperationAt(index, { columns, model })
  return attributed(columns.idAt(index), () => model.isObserver(operation.type, operation))
}

/** The group's operations by element; whole when one of them concerns more than one element. */
function splitByElement(
  group: Group,
  { writer: { columns, model }, encoding }: { writer: PartWriter; encoding: ObjectEncoding },
): Group[] {
  if (encoding.element === undefined) return [group]
  const byElement = new Map<string, number[]>()
  for (const index of group.operations) {
    const operation = modelOperationAt(index, { columns, model })
    const element = attributed(columns.idAt(index), () => encoding.element?.(operation))
    if (element === undefined || element === null) return [group]
    const name = canonical(element)
    const operations = byElement.get(name)
    if (operations) operations.push(index)
    else byElement.set(name, [index])
  }
  return [...byElement.values()].map((operations) => ({ key: group.key, operations }))
}
