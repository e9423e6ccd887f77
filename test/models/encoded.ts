import type { Json } from '../../src/json.js'
import type { ModelOperation, ObjectEncoding } from '../../src/models/model.js'

/** What an encoding put of an operation. */
export interface Encoded {
  readonly kind: number
  readonly a: number
  readonly b: number
  readonly list?: readonly number[]
}

/** Gives values ids in order of first use, after those of the values that are there at first. */
export function valueIds(first: readonly Json[] = []): (value: Json) => number {
  const names = first.map((value) => JSON.stringify(value))
  return (value) => {
    const name = JSON.stringify(value)
    const at = names.indexOf(name)
    return at >= 0 ? at : names.push(name) - 1
  }
}

/** The operation in codes; null when it says nothing, `inexpressible` when the encoding has no words for it. */
export function encodedBy(
  encoding: ObjectEncoding | undefined,
  operation: ModelOperation,
  idOf: (value: Json) => number = valueIds(),
): Encoded | null | 'inexpressible' | undefined {
  if (encoding === undefined) return undefined
  const put: Encoded[] = []
  const hasWords = encoding.encode(operation, {
    idOf,
    put: (kind, a, b, list) => put.push({ kind, a, b, ...(list === undefined ? {} : { list }) }),
  })
  if (put.length > 1 || (!hasWords && put.length > 0)) throw new Error('an operation was put more than once')
  return hasWords ? (put[0] ?? null) : 'inexpressible'
}
