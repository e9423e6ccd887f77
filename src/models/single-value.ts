import { none, registerKind } from './object-codes.js'
import type { OperationField } from '../history/operation.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Codes, Model, ModelOperation, RegisterAction, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

export type ValueRole = 'read' | 'write' | 'cas' | 'delete'

/** What a model of one value a key consists of: which operation type does what. */
export interface SingleValueDefinition {
  readonly name: string
  readonly roles: Readonly<Record<string, ValueRole>>
  readonly requires: readonly OperationField[]
  readonly semantics: Partial<Semantics> | undefined
}

/**
 * The models whose state is one value: `register`, `cas-register`, `map`. Every key is an object of its own.
 *
 * A write's value is its input; a delete leaves null; a CAS has input `[expected, new]`, and is refused when its
 * output is false. A CAS that failed, where failures are observed, met any value but the expected one.
 */
export function singleValueModel({
  name,
  roles,
  requires,
  semantics: given,
}: SingleValueDefinition): Model<Json> {
  const semantics = semanticsOf(name, given)
  const types = Object.keys(roles)
  const roleByPlace = Object.values(roles)
  const roleOf = (type: string): ValueRole | undefined => {
    // Of a handful of names, comparing is quicker than hashing.
    for (let place = 0; place < types.length; place += 1) {
      if (types[place] === type) return roleByPlace[place]
    }
    return undefined
  }

  const expectedAndNew = (operation: ModelOperation): [Json, Json] => {
    const { input } = operation
    if (Array.isArray(input) && input.length === 2) return input as [Json, Json]
    throw unreadable(name, operation, 'takes the input [expected, new]')
  }

  const actionOf = (operation: ModelOperation): RegisterAction | null => {
    const { input, output, outcome } = operation
    const role = roleOf(operation.type)
    if (role === 'cas') {
      const [expected, next] = expectedAndNew(operation).map(canonical) as [string, string]
      if (outcome === 'failed' || (outcome === 'ok' && output === false)) return { differs: expected }
      return { reads: expected, writes: next }
    }
    if (outcome === 'failed') return null
    if (role === 'write') return { writes: canonical(input) }
    if (role === 'delete') return { writes: 'null' }
    if (role !== 'read' || outcome === 'unknown') return null
    if (output === null && semantics.nullRead === 'unknown') return null
    return { reads: canonical(output) }
  }

  /** The same as `actionOf`, in the codes of a register. */
  const encode = (operation: ModelOperation, codes: Codes): boolean => {
    const { input, output, outcome } = operation
    const role = roleOf(operation.type)
    if (role === 'cas') {
      const [expected, next] = expectedAndNew(operation)
      const refused = outcome === 'failed' || (outcome === 'ok' && output === false)
      if (refused) codes.put(registerKind.differs, codes.idOf(expected), none)
      else codes.put(registerKind.cas, codes.idOf(expected), codes.idOf(next))
    } else if (outcome === 'failed') {
      return true
    } else if (role === 'write') {
      codes.put(registerKind.write, codes.idOf(input), none)
    } else if (role === 'delete') {
      codes.put(registerKind.write, codes.idOf(null), none)
    } else if (role === 'read' && outcome === 'ok') {
      const saysNothing = output === null && semantics.nullRead === 'unknown'
      if (!saysNothing) codes.put(registerKind.read, codes.idOf(output), none)
    }
    return true
  }

  return {
    name,
    operations: Object.keys(roles),
    requires,
    semantics,
    partition: 'key',
    init: () => semantics.init,
    identity: canonical,
    registerAction: actionOf,
    object: { type: 'register', encode },
    step(state, operation) {
      const action = actionOf(operation)
      if (action === null) return state
      const now = canonical(state)
      if (action.differs === now) return undefined
      if (action.reads !== undefined && action.reads !== now) {
        return operation.outcome === 'unknown' ? state : undefined
      }
      return action.writes === undefined ? state : (JSON.parse(action.writes) as Json)
    },
    isObserver(type, operation) {
      if (roleOf(type) === 'read') return true
      return operation !== undefined && actionOf(operation)?.writes === undefined
    },
    describeOperation: (operation) =>
      describeCall(roleOf(operation.type) === 'read' ? { ...operation, input: null } : operation),
    describeState: describeValue,
  }
}
