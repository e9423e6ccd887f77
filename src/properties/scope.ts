import { AsyncLocalStorage } from 'node:async_hooks'
import type { Operation } from '../history/operation.js'
import type { PropertyRegistry } from './registry.js'

interface Scope {
  readonly registry: PropertyRegistry
  readonly operation: Operation['op_id'] | null
}

const scopes = new AsyncLocalStorage<Scope>()
const open = new Set<PropertyRegistry>()

/** Runs the work so that the properties that it asserts are counted in the registry. */
export async function countingIn<T>(registry: PropertyRegistry, work: () => Promise<T>): Promise<T> {
  open.add(registry)
  try {
    return await scopes.run({ registry, operation: null }, work)
  } finally {
    open.delete(registry)
  }
}

/** Runs the work so that the properties that it asserts are told to belong to the operation. */
export function duringOperation<T>(operation: Operation['op_id'], work: () => T): T {
  const scope = currentScope()
  return scope === null ? work() : scopes.run({ ...scope, operation }, work)
}

/**
 * The scope in which a property is asserted; null outside of every run. A callback of an emitter may have lost the run
 * that it belongs to: when only one is open, it is that one.
 */
export function currentScope(): Scope | null {
  const scope = scopes.getStore()
  if (scope !== undefined) return scope
  const [only, second] = open
  return only === undefined || second !== undefined ? null : { registry: only, operation: null }
}
