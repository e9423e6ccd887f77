/**
 * A value as text, equal for equal values in every process: fields in the order of their names, functions by their
 * source text. Of what is met again inside itself only that it is.
 */
export function canonical(value: unknown): string {
  return textOf(value, [])
}

function textOf(value: unknown, above: readonly object[]): string {
  if (typeof value === 'function') return `function ${JSON.stringify(String(value))}`
  if (typeof value === 'bigint') return `${value}n`
  if (value === undefined || typeof value === 'symbol') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (above.includes(value)) return 'itself'
  const within = [...above, value]
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, within)).join()}]`
  if (value instanceof RegExp || value instanceof Date) return JSON.stringify(String(value))
  if (value instanceof Set) return `set ${textOf([...value], within)}`
  if (value instanceof Map) return `map ${textOf([...value], within)}`
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field, within)}`).join()}}`
}
