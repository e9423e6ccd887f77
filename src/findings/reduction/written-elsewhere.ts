import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'

/**
 * Operations on other keys that wrote what reads of a core answer although nobody wrote it on their own keys: where
 * something leaks from one key into another, the core alone does not show it.
 */
export function writtenElsewhere(
  core: readonly Operation[],
  operations: readonly Operation[],
): readonly Operation[] {
  const keys = new Set(core.map(({ key }) => key))
  const strays = new Set(core.flatMap(({ input, output }) => (input === null ? valuesIn(output) : [])))
  for (const { key, input } of operations) {
    if (keys.has(key)) for (const value of valuesIn(input)) strays.delete(value)
  }
  const last = Math.max(...core.map(({ invoke_ts: invoked }) => invoked))
  return operations.filter(
    ({ key, input, invoke_ts: invoked }) =>
      !keys.has(key) && invoked <= last && valuesIn(input).some((value) => strays.has(value)),
  )
}

/** The numbers and texts in a value, however deep. */
function valuesIn(value: Json): (number | string)[] {
  if (typeof value === 'number' || typeof value === 'string') return [value]
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(valuesIn)
}
