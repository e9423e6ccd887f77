import type { Json } from '../json.js'

/** The JSON text of a value with the fields of every object in order: equal values have equal texts. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = Object.keys(value).toSorted()
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join(',')}}`
}
