import type { Json } from '../json.js'
import { canonical } from '../models/canonical.js'

/** A value of the same kind as the given one that is none of the known ones; undefined when it has no such kind. */
export function unwrittenLike(like: Json, known: { has(value: string): boolean }): Json | undefined {
  if (typeof like === 'number') {
    for (let value = Math.floor(Math.abs(like)) + 1_000_003; Number.isSafeInteger(value); value += 7_919) {
      if (!known.has(canonical(value))) return value
    }
  }
  if (typeof like === 'string') {
    let value = `${like}?`
    while (known.has(canonical(value))) value += '?'
    return value
  }
  return undefined
}
