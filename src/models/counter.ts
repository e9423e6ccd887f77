import { counterKind } from './object-codes.js'
import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { describeCall, describeValue } from './describe.js'
import { fitsColumn } from './fits-column.js'
import type { Model, ModelOperation, ObjectEncoding, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const name = 'counter'

type Role = 'read' | 'add' | 'subtract' | 'add-and-get' | 'get-and-add'

const roles: Readonly<Record<string, Role>> = {
  read: 'read',
  get: 'read',
  inc: 'add',
  add: 'add',
  dec: 'subtract',
  'add-and-get': 'add-and-get',
  'get-and-add': 'get-and-add',
}

/** What an operation does and saw: `leaves` is the value after it. */
interface Action {
  readonly adds: number
  readonly leaves: number | null
}

/**
 * A whole number that is added to: `inc` or `add(n)` and `dec(n)`, n 1 when the input is null, whatever they answer;
 * `add-and-get(n)` and `get-and-add(n)` answer the value after or before; `read -> n` (or `get`). One counter a key.
 * `init` is the value before, 0 when null. Throws DeclarationError when the semantics are wrong.
 */
export function counter(given?: Partial<Semantics>): Model<number> {
  const semantics = semanticsOf(name, given, 0)
  const init = semantics.init ?? 0
  if (!isInteger(init)) {
    throw new DeclarationError(
      'model-semantics',
      `${name}(): init must be a whole number, got ${JSON.stringify(init)}`,
    )
  }

  const actionOf = (operation: ModelOperation): Action | null => {
    const { type, input, output, outcome } = operation
    const role = Object.hasOwn(roles, type) ? roles[type] : undefined
    if (outcome === 'failed' || role === undefined) return null
    if (role === 'read') {
      if (outcome === 'unknown' || (output === null && semantics.nullRead === 'unknown')) return null
      return { adds: 0, leaves: integer(operation, output ?? init, 'answers a whole number') }
    }
    const amount = integer(operation, input ?? 1, 'takes a whole number')
    const adds = role === 'subtract' ? -amount : amount
    if (outcome === 'unknown' || output === null || role === 'add' || role === 'subtract') {
      return { adds, leaves: null }
    }
    const answer = integer(operation, output, 'answers a whole number')
    return { adds, leaves: role === 'get-and-add' ? answer + adds : answer }
  }

  return {
    name,
    operations: Object.keys(roles),
    requires: [],
    semantics,
    partition: 'key',
    init: () => init,
    identity: (state) => state,
    step(state, operation) {
      const action = actionOf(operation)
      if (action === null) return state
      const next = state + action.adds
      return action.leaves === null || action.leaves === next ? next : undefined
    },
    isObserver(type, operation) {
      if (roles[type] === 'read') return true
      return operation !== undefined && (actionOf(operation)?.adds ?? 0) === 0
    },
    object: encoding(actionOf, init),
    describeOperation: (operation) =>
      describeCall(roles[operation.type] === 'read' ? { ...operation, input: null } : operation),
    describeState: describeValue,
  }
}

function encoding(actionOf: (operation: ModelOperation) => Action | null, init: number): ObjectEncoding {
  return {
    type: 'counter',
    encode(operation, codes) {
      const action = actionOf(operation)
      if (action === null) return true
      const { adds } = action
      const leaves = action.leaves === null ? null : action.leaves - init
      if (!fitsColumn(adds) || (leaves !== null && !fitsColumn(leaves))) return false
      if (leaves !== null && adds !== 0) codes.put(counterKind.addAndGet, adds, leaves)
      else if (leaves !== null) codes.put(counterKind.read, leaves, 0)
      else if (adds !== 0) codes.put(counterKind.add, adds, 0)
      return true
    },
  }
}

function isInteger(value: Json): value is number {
  return Number.isSafeInteger(value)
}

function integer(operation: ModelOperation, value: Json, expected: string): number {
  if (isInteger(value)) return value
  throw unreadable(name, operation, expected)
}
