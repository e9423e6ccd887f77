import { parseDocument } from 'yaml'

const mostAliases = 100

/** The content of a YAML file as data; null for one that cannot be read, such as a template. */
export function yamlOf(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false })
    return document.errors.length > 0 ? null : document.toJS({ maxAliasCount: mostAliases })
  } catch {
    // Too many aliases, or something that is no document: nothing can be told of it.
    return null
  }
}

/** The keys of a mapping below a key; empty when there is none. */
export function keysBelow(data: unknown, key: string): string[] {
  const below = isMapping(data) ? data[key] : null
  return isMapping(below) ? Object.keys(below) : []
}

export function isMapping(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
