import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'

/** What stands for a value as the key of a map: equal values have the same, and simple values are their own. */
export type ValueKey = string | number | boolean | null

/** Begins the keys that stand for something else than themselves. */
const mark = '\u0000'

export function valueKey(value: Json): ValueKey {
  if (typeof value === 'object' && value !== null) return mark + canonical(value)
  return typeof value === 'string' && value.startsWith(mark) ? mark + JSON.stringify(value) : value
}
