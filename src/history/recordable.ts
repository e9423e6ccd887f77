import { HarnessError } from '../errors.js'
import type { Json } from '../json.js'

/**
 * A copy of a value as it can be recorded: what reads back from the history is what the checkers saw during the run.
 *
 * `undefined` becomes null, a property that is undefined is left out, -0 becomes 0. Throws HarnessError, with the path
 * from `what`, for everything else that JSON would change or lose: bigint, NaN, Date, Map, a class instance, a cycle.
 */
export function recordable(value: unknown, what: string): Json {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  refuseLossy(value, what, [])
  return JSON.parse(JSON.stringify(value)) as Json
}

function refuseLossy(value: unknown, path: string, parents: readonly unknown[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value !== 'object')
    throw lossy(path, typeof value === 'number' ? String(value) : `a ${typeof value}`)
  if (parents.includes(value)) throw lossy(path, 'a cycle')
  const inner = [...parents, value]
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) refuseLossy(value[index], `${path}[${index}]`, inner)
    return
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw lossy(path, `a ${value.constructor?.name ?? 'class instance'}`)
  }
  if ('toJSON' in value) throw lossy(path, 'an object with toJSON')
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) refuseLossy(member, `${path}.${name}`, inner)
  }
}

function lossy(path: string, found: string): HarnessError {
  return new HarnessError('not-recordable', `${path} is ${found}, which a history cannot hold`, {
    hint: 'return null, booleans, finite numbers, strings, and arrays and plain objects of them',
  })
}
