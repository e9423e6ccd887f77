import type { Json } from '../json.js'

/**
 * What stands at a dotted path in a value, such as `lease.token` in `{ lease: { token: 7 } }`; undefined when there is
 * nothing.
 */
export function fieldOf(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name))
      return undefined
    at = at[name]
  }
  return at
}
