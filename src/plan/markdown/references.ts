import type { Reference, Text } from '../position.js'

const id = /\b[A-Z]{1,4}\d+[a-z]?\b/g
const aside = /\([^()]*\)/g
const range = /\b([A-Z]{1,4})(\d+)\s*(?:-|–|—|\.\.\.?|…|\bto\b)\s*\1(\d+)\b/g
const longestRange = 200

/** True for what an id of a claim, hypothesis or scenario looks like, such as `C1`. */
export function isId(text: string): boolean {
  return /^[A-Z]{1,4}\d+[a-z]?$/.test(text)
}

/** The ids, such as `C1` or all of `H2–H5`, that a text names outside of brackets, each once, in order. */
export function referencesIn(text: Text | null): Reference[] {
  if (text === null) return []
  const spelt = text.text.replaceAll(aside, ' ').replaceAll(range, spellOut)
  const ids = new Set(spelt.match(id) ?? [])
  return [...ids].map((found) => ({ id: found, at: text.at }))
}

function spellOut(written: string, letters: string, from: string, to: string): string {
  const [first, last] = [Number(from), Number(to)]
  if (last < first || last - first > longestRange) return written
  return Array.from({ length: last - first + 1 }, (_, index) => `${letters}${first + index}`).join(' ')
}
