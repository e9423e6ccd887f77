import type { Json } from '../json.js'

/**
 * What stands at a dotted path in a value, such as `lease.token` in `{ lease: { token: 7 } }`; undefined when there is
 * nothing.
 */
export function fieldOf(value: Json, path: string): Json | undefined {
  if (!path.includes('.')) return ownField(value, path)
  return path.split('.').reduce<Json | undefined>((at, name) => ownField(at, name), value)
}

function ownField(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? value[name] : undefined
}
