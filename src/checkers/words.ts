import type { Operation } from '../history/operation.js'
import type { Json } from '../json.js'

/** The most characters of a value that a sentence shows. */
const longest = 60

/** A value for a sentence: canonical enough to recognise, cut when it is long. */
export function shown(value: Json): string {
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}

/** An operation for a sentence, such as `write(5) on "k1" by process 3 (operation 17)`. */
export function tell(operation: Operation): string {
  const { op_type: type, key, input, process_id: process, op_id: id } = operation
  const on = key === null ? '' : ` on ${JSON.stringify(key)}`
  return `${type}(${input === null ? '' : shown(input)})${on} by process ${process} (operation ${id})`
}
