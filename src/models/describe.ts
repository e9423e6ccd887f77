import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import type { ModelOperation } from './model.js'

const longestValue = 120

/** A value for people: JSON, cut in the middle when it is long. */
export function describeValue(value: Json): string {
  const text = JSON.stringify(value)
  if (text.length <= longestValue) return text
  return `${text.slice(0, longestValue - 30)}…(${text.length} characters)…${text.slice(-20)}`
}

/** `write(1)`, `read -> 1`, `write(1) with unknown outcome`, with the key when there is one. */
export function describeCall(operation: ModelOperation): string {
  const parts = [
    ...(operation.key === null ? [] : [`key ${JSON.stringify(operation.key)}`]),
    ...(operation.input === null ? [] : [describeValue(operation.input)]),
  ]
  const call = parts.length === 0 ? operation.type : `${operation.type}(${parts.join(', ')})`
  if (operation.outcome === 'unknown') return `${call} with unknown outcome`
  if (operation.outcome === 'failed') return `${call} that failed`
  // Many recorders answer a write with its own input.
  const echoes = operation.input !== null && canonical(operation.output) === canonical(operation.input)
  const isRead = operation.type === 'read'
  const says = operation.input === null || isRead || (operation.output !== null && !echoes)
  return says ? `${call} -> ${describeValue(operation.output)}` : call
}
