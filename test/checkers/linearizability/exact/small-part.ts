import { prepare } from '../../../../src/checkers/linearizability/prepare.js'
import { never, type Part } from '../../../../src/checkers/linearizability/part.js'
import type { Operation } from '../../../../src/history/operation.js'
import { canonical } from '../../../../src/models/canonical.js'
import type { Model, ObjectEncoding } from '../../../../src/models/model.js'
import { encodedBy, type Encoded } from '../../../models/encoded.js'

/** A small history of one object in columns, whole; null when the model's encodings have no words for it. */
export function smallPart(operations: readonly Operation[], model: Model): Part | null {
  const partition = prepare(operations, model).partitions[0] ?? { key: null, calls: [] }
  for (let encoding = model.object; encoding !== undefined; encoding = encoding.otherwise) {
    const part = partBy(encoding)
    if (part !== null) return part
  }
  return null

  function partBy(encoding: ObjectEncoding): Part | null {
    const ids = new Map<string, number>()
    const idOf = (value: Parameters<typeof canonical>[0]) => {
      const name = canonical(value)
      if (!ids.has(name)) ids.set(name, ids.size)
      return ids.get(name) as number
    }
    const processes = new Map<string | number, number>()
    const kept: { call: (typeof partition.calls)[number]; encoded: Encoded }[] = []
    for (const call of partition.calls) {
      const encoded = encodedBy(encoding, call.seen, idOf)
      if (encoded === 'inexpressible') return null
      if (encoded) kept.push({ call, encoded })
    }
    const ranks = kept
      .flatMap(({ call }) => [call.invoke, call.complete])
      .filter(Number.isFinite)
      .sort((a, b) => a - b)
    const rankOf = new Map(ranks.map((rank, i) => [rank, i]))
    const starts = [0]
    for (const { encoded } of kept) starts.push((starts.at(-1) as number) + (encoded.list?.length ?? 0))
    return {
      object: encoding.type,
      key: partition.key,
      count: kept.length,
      kind: Uint8Array.from(kept, ({ encoded }) => encoded.kind),
      a: Int32Array.from(kept, ({ encoded }) => encoded.a),
      b: Int32Array.from(kept, ({ encoded }) => encoded.b),
      lists: kept.some(({ encoded }) => encoded.list !== undefined)
        ? {
            starts: Int32Array.from(starts),
            elements: Int32Array.from(kept.flatMap(({ encoded }) => encoded.list ?? [])),
          }
        : null,
      invoke: Int32Array.from(kept, ({ call }) => rankOf.get(call.invoke) as number),
      complete: Int32Array.from(kept, ({ call }) => rankOf.get(call.complete) ?? never),
      process: Int32Array.from(kept, ({ call }) => {
        const id = call.operation.process_id
        if (!processes.has(id)) processes.set(id, processes.size)
        return processes.get(id) as number
      }),
      source: Int32Array.from(kept, ({ call }) => operations.indexOf(call.operation)),
      events: ranks.length,
      values: ids.size,
    }
  }
}
