/** The source of a scenario's declaration: what is called, and the text of each property. */
export interface Declaration {
  /** Such as `scenario`. */
  readonly callee: string
  readonly properties: ReadonlyMap<string, string>
}

const opening = '([{'
const closing = ')]}'

/**
 * Finds the declaration of a scenario in the source that declares it: the object that is the second argument of the call
 * on the given line (from 1). Null when the call is not written like that, such as with `.each` or with the declaration in
 * a constant. A reader of brackets, strings and comments, not of the language: what it returns is to be looked at.
 */
export function declarationIn(source: string, line: number): Declaration | null {
  const from = offsetOf(source, line)
  if (from === null) return null
  const call = /\b([A-Za-z_$][\w$]*)(?:\.(?:only|skip))?\s*\(/.exec(source.slice(from))
  if (call === null) return null
  const args = parts(source, from + call.index + call[0].length)
  const object = args?.[1]
  if (object === undefined || !object.startsWith('{')) return null
  const properties = new Map<string, string>()
  for (const property of parts(object, 1) ?? []) {
    const named = /^([\w$]+)\s*(?::\s*([^]*))?$/.exec(property)
    if (named?.[1] === undefined) return null
    properties.set(named[1], named[2] ?? named[1])
  }
  return { callee: call[1] as string, properties }
}

function offsetOf(source: string, line: number): number | null {
  const before = source.split('\n').slice(0, line - 1)
  const offset = before.reduce((sum, text) => sum + text.length + 1, 0)
  return offset < source.length ? offset : null
}

/** The comma-separated parts from an offset within brackets to the bracket that closes them; null when none does. */
function parts(source: string, start: number): string[] | null {
  const found: string[] = []
  let depth = 0
  let text = ''
  for (let at = start; at < source.length;) {
    const skipped = skip(source, at)
    if (skipped !== null) {
      if (!skipped.comment) text += source.slice(at, skipped.end)
      at = skipped.end
      continue
    }
    const character = source[at] as string
    if (opening.includes(character)) depth += 1
    if (closing.includes(character) && depth-- === 0) {
      if (text.trim() !== '') found.push(text.trim())
      return found
    }
    if (character === ',' && depth === 0) {
      found.push(text.trim())
      text = ''
    } else text += character
    at += 1
  }
  return null
}

/** A comment, string, template or regular expression that begins here; null when none does. */
function skip(source: string, at: number): { readonly end: number; readonly comment: boolean } | null {
  const rest = source.slice(at, at + 2)
  if (rest === '//') return { end: endOf(source, '\n', at), comment: true }
  if (rest === '/*') return { end: endOf(source, '*/', at + 2) + 2, comment: true }
  const quote = source[at] as string
  const isRegExp =
    quote === '/' && /(?:[(,=:[!&|?{};]|=>|\breturn)\s*$/.test(source.slice(Math.max(0, at - 20), at))
  if (!'\'"`'.includes(quote) && !isRegExp) return null
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end += 1
    else if (source[end] === quote) return { end: end + 1, comment: false }
  }
  return null
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from)
  return end < 0 ? source.length : end
}
