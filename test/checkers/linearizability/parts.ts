import { partsOf } from '../../../src/checkers/linearizability/encode.js'
import type { Part } from '../../../src/checkers/linearizability/part.js'
import { columnsOf } from '../../../src/history/columns-builder.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Model } from '../../../src/models/model.js'

/** The parts of a history of a model with an encoding, one for each object; everything must be expressible. */
export function partsOfOperations(operations: readonly Operation[], model: Model): readonly Part[] {
  const { parts, inexpressible } = partsOf(columnsOf(operations), model)
  if (inexpressible.length > 0) throw new Error(`${model.name} has no words for operations of this history`)
  return parts
}

/** An operation of a part in its codes: `[kind, a, b, invoked, completed]`, completed null when unknown. */
export type Coded = readonly [
  kind: number,
  a: number,
  b: number,
  at: number,
  completed: number | null,
  list?: readonly number[],
]

/**
 * A part from codes. Times are any numbers: equal ones are put in order, calls before returns. Every operation is of a
 * process of its own unless `process` says otherwise; `values` is one more than the largest operand.
 */
export function codedPart(
  object: Part['object'],
  operations: readonly Coded[],
  { process, values }: { process?: readonly number[]; values?: number } = {},
): Part {
  const order = operations
    .map((_, index) => index)
    .sort((x, y) => at(operations, x) - at(operations, y) || x - y)
  const coded = order.map((index) => operations[index] as Coded)
  const events = coded.flatMap(([, , , invoked, completed], index) => [
    { time: invoked, index, returns: false },
    ...(completed === null ? [] : [{ time: completed, index, returns: true }]),
  ])
  events.sort((x, y) => x.time - y.time || Number(x.returns) - Number(y.returns) || x.index - y.index)
  const invoke = new Int32Array(coded.length)
  const complete = new Int32Array(coded.length).fill(2 ** 31 - 1)
  events.forEach(({ index, returns }, rank) => ((returns ? complete : invoke)[index] = rank))
  const lists = coded.some(([, , , , , list]) => list !== undefined)
  const starts = new Int32Array(coded.length + 1)
  coded.forEach(
    ([, , , , , list], index) => (starts[index + 1] = (starts[index] as number) + (list?.length ?? 0)),
  )
  const operands = coded.flatMap(([, a, b, , , list]) => [a, b, ...(list ?? [])])
  return {
    object,
    key: null,
    count: coded.length,
    kind: Uint8Array.from(coded, ([kind]) => kind),
    a: Int32Array.from(coded, ([, a]) => a),
    b: Int32Array.from(coded, ([, , b]) => b),
    lists: lists
      ? { starts, elements: Int32Array.from(coded.flatMap(([, , , , , list]) => list ?? [])) }
      : null,
    invoke,
    complete,
    process: Int32Array.from(order, (index) => process?.[index] ?? index),
    source: Int32Array.from(order),
    events: events.length,
    values: values ?? Math.max(-1, ...operands) + 1,
  }
}

function at(operations: readonly Coded[], index: number): number {
  return (operations[index] as Coded)[3]
}
