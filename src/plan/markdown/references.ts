import type { Reference, Text } from '../position.js'

const id = /\b[A-Z]{1,4}\d+[a-z]?\b/g
const aside = /\([^()]*\)/g

/** The ids, such as `C1`, that a text names outside of brackets, each once, in order. */
export function referencesIn(text: Text | null): Reference[] {
  if (text === null) return []
  const ids = new Set(text.text.replaceAll(aside, ' ').match(id) ?? [])
  return [...ids].map((found) => ({ id: found, at: text.at }))
}
