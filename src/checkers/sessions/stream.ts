import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { Version } from './version.js'

/** What an operation delivered of a stream, such as a watch or a log, in order of delivery. */
export interface Delivery {
  readonly revisions: readonly Version[]
  /** Where the client asked to begin; null when it went on where it was. */
  readonly from: Version | null
}

/**
 * The part of a stream that an operation delivered: an output `{ revisions: [797, 798] }`, or
 * `{ records: [[offset, value], …] }` as of logs, and `from` in the input or the output. Null when it is neither.
 */
export function streamOf({ input, output }: Pick<Operation, 'input' | 'output'>): Delivery | null {
  const { revisions, records, from } = fieldsOf(output)
  const listed = Array.isArray(revisions) ? revisions : Array.isArray(records) ? records.map(offsetIn) : null
  if (listed === null || !listed.every(isVersion)) return null
  const asked = fieldsOf(input)['from'] ?? from
  return { revisions: listed, from: isVersion(asked) ? asked : null }
}

function fieldsOf(value: Json): Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function offsetIn(record: Json): Json {
  return Array.isArray(record) ? (record[0] ?? null) : null
}

function isVersion(value: Json | undefined): value is Version {
  return typeof value === 'number' || typeof value === 'string'
}
