import type { Json } from '../json.js'
import { canonical } from '../models/canonical.js'

/** A value of the same kind as the given one that is none of the known ones; undefined when it has no such kind. */
export function unwrittenLike(like: Json, known: { has(value: string): boolean }): Json | undefined {
  if (typeof like === 'number') {
    // Not far above the known ones, for checkers that keep tables by value.
    const from = Math.floor(Math.abs(like))
    for (let above = 1; Number.isSafeInteger(from + above); above *= 2) {
      if (!known.has(canonical(from + above))) return from + above
    }
  }
  if (typeof like === 'string') {
    let value = `${like}?`
    while (known.has(canonical(value))) value += '?'
    return value
  }
  return undefined
}
