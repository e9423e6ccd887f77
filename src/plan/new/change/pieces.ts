import type { Language } from './language.js'

/** A piece of source text. */
export interface Piece {
  readonly kind: 'code' | 'string' | 'comment'
  readonly text: string
}

/** Comments that a compiler or a tool obeys; to change one is to change the program. */
const directive =
  /^(?:\/\/go:|\/\/ ?\+build|#!|\/\*? ?#|#\s*(?:type|pragma|noqa)\b|\/[/*]\s*(?:@ts-|eslint|@vitest-|c8 |istanbul ))/

/**
 * Cuts source text into code, string literals and comments. It knows enough of each language not to take a `//` within a
 * string for a comment; where it is not sure, a text counts as code.
 */
export function piecesOf(text: string, language: Language): Piece[] {
  const pieces: Piece[] = []
  let code = 0
  let at = 0
  const take = (kind: Piece['kind'], end: number) => {
    if (code < at) pieces.push({ kind: 'code', text: text.slice(code, at) })
    const piece = text.slice(at, end)
    pieces.push({ kind: kind === 'comment' && directive.test(piece) ? 'code' : kind, text: piece })
    at = end
    code = end
  }
  while (at < text.length) {
    const comment = endOfComment(text, at, language)
    if (comment !== null) {
      take('comment', comment)
      continue
    }
    const string = endOfString(text, at, language)
    if (string !== null) {
      take('string', string)
      continue
    }
    at += 1
  }
  if (code < at) pieces.push({ kind: 'code', text: text.slice(code) })
  return pieces
}

function endOfComment(text: string, at: number, language: Language): number | null {
  // An address, such as one in the text of a page, is no comment.
  if (text.startsWith(language.lineComment, at) && text[at - 1] !== ':') {
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  if (!language.blockComments || !text.startsWith('/*', at)) return null
  let depth = 1
  for (let next = at + 2; next < text.length; next += 1) {
    if (language.name === 'rust' && text.startsWith('/*', next)) depth += 1
    if (!text.startsWith('*/', next)) continue
    depth -= 1
    if (depth === 0) return next + 2
    next += 1
  }
  return text.length
}

function endOfString(text: string, at: number, { name }: Language): number | null {
  const sign = text[at]
  if (name === 'python') {
    const triple = /^(?:"""|''')/.exec(text.slice(at, at + 3))?.[0]
    if (triple !== undefined) return after(text, text.indexOf(triple, at + 3), 3)
  }
  if (name === 'rust') {
    const raw = /^r(#*)"/.exec(text.slice(at, at + 12))
    if (raw !== null && !/\w/.test(text[at - 1] ?? ' ')) {
      const close = `"${raw[1] ?? ''}`
      return after(text, text.indexOf(close, at + raw[0].length), close.length)
    }
    // A lifetime such as 'a is no character.
    if (sign === "'" && !/^'(?:\\[^'\n]*|[^'\\\n])'/.test(text.slice(at, at + 14))) return null
  }
  if (sign === '"' || sign === "'") {
    return endOfQuoted(text, at, sign)
  }
  if (sign === '`') return name === 'go' ? after(text, text.indexOf('`', at + 1), 1) : endOfTemplate(text, at)
  if (sign === '/' && name === 'javascript' && beginsPattern(text, at)) return endOfPattern(text, at)
  return null
}

function after(text: string, found: number, length: number): number {
  return found === -1 ? text.length : found + length
}

function endOfQuoted(text: string, at: number, sign: string): number {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1
    else if (text[next] === sign || text[next] === '\n') return next + 1
  }
  return text.length
}

/** A template with what is computed within it, which may hold templates again. */
function endOfTemplate(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1
    else if (text[next] === '`') return next + 1
    else if (text.startsWith('${', next)) next = endOfBraces(text, next + 2) - 1
  }
  return text.length
}

function endOfBraces(text: string, at: number): number {
  let depth = 1
  for (let next = at; next < text.length; next += 1) {
    const sign = text[next]
    if (sign === '`') next = endOfTemplate(text, next) - 1
    else if (sign === '"' || sign === "'") next = endOfQuoted(text, next, sign) - 1
    else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    if (depth === 0) return next + 1
  }
  return text.length
}

/** A slash begins a regular expression where no value can stand before it. */
function beginsPattern(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at).trimEnd()
  return (
    before === '' || /[=(,:[!&|?{};+\-*%<>~^]$|\b(?:return|typeof|case|in|of|delete|void|throw)$/.test(before)
  )
}

function endOfPattern(text: string, at: number): number | null {
  let inClass = false
  for (let next = at + 1; next < text.length && text[next] !== '\n'; next += 1) {
    const sign = text[next]
    if (sign === '\\') next += 1
    else if (sign === '[') inClass = true
    else if (sign === ']') inClass = false
    else if (sign === '/' && !inClass) return next + 1
  }
  return null
}
