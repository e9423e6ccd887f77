import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import type { Model } from '../../../models/model.js'
import { returned } from '../../queues/accounts.js'

/** An answered read of a register, of all elements of a set, or of the rows of a table that match a filter. */
export interface Query {
  readonly read: Operation
  /** The value, or the list of elements or ids. */
  readonly value: Json
  readonly elements: boolean
  readonly answersIds: boolean
  /** The fields that rows must have; null for all rows. */
  readonly filter: Json
}

const reading: ReadonlySet<string> = new Set(['read', 'get', 'list', 'scan', 'query'])

/**
 * A read as a query: its answer is the value, a list of elements, an object with such a list as its `value`, a session's
 * `{ value, version }`, or an object with a list of `ids`; the input of the last may be an object of fields that the rows
 * have. Null when the operation is no read, or says nothing.
 */
export function queryOf(read: Operation, model: Model | null): Query | null {
  if (!reading.has(read.op_type)) return null
  const { input, output } = read
  const plain = { read, elements: false, answersIds: false, filter: null }
  if (output === null) {
    if (model?.semantics.nullRead === 'unknown') return null
    // Of a collection null is what was there at first; a register may hold null after something else.
    const initial = model?.semantics.init ?? null
    const isCollection = Array.isArray(initial)
    return { ...plain, value: isCollection ? initial : null, elements: isCollection }
  }
  if (typeof output !== 'object') return { ...plain, value: output }
  if (Array.isArray(output)) return { ...plain, value: output, elements: true }
  const { ids, value, ...others } = output
  if (Array.isArray(ids)) {
    const filter = typeof input === 'object' && !Array.isArray(input) ? input : null
    return { ...plain, value: ids, elements: true, answersIds: true, filter }
  }
  if (Array.isArray(value)) return { ...plain, value, elements: true }
  if (value !== undefined && Object.keys(others).every((field) => field === 'version')) {
    return { ...plain, value }
  }
  return { ...plain, value: output }
}

/** The read that began last, and those that overlap it: any of them may be the last to have looked. */
export function lastOf(queries: readonly Query[]): readonly Query[] {
  const began = queries.reduce((latest, { read }) => Math.max(latest, read.invoke_ts), -1)
  return queries.filter(({ read }) => returned(read) >= began)
}
