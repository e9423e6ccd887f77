import type { Json } from '../json.js'

/** The JSON text of a value with the fields of every object in order: equal values have equal texts. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) {
    // The states of queues and stacks are long lists of simple values, which the engine writes many times as fast.
    return value.every(isSimple) ? JSON.stringify(value) : `[${value.map(canonical).join(',')}]`
  }
  const fields = Object.keys(value).toSorted()
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field] ?? null)}`).join(',')}}`
}

function isSimple(value: Json): boolean {
  return value === null || typeof value !== 'object'
}
