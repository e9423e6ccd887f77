import { growSetKind, none, setKind } from './object-codes.js'
import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall } from './describe.js'
import type { Model, ModelOperation, ObjectEncoding, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const name = 'set'

type Role = 'add' | 'remove' | 'contains' | 'read'

const roles: Readonly<Record<string, Role>> = {
  add: 'add',
  insert: 'add',
  remove: 'remove',
  delete: 'remove',
  contains: 'contains',
  read: 'read',
}

/** The elements as canonical JSON, in order. */
type Elements = readonly string[]

type Action =
  | { readonly role: 'read'; readonly elements: readonly Json[] }
  | { readonly role: 'add' | 'remove' | 'contains'; readonly element: Json; readonly answer: boolean | null }

/**
 * A set: `add(v)` (or `insert`), `remove(v)` (or `delete`), `contains(v) -> boolean`, and `read -> list` of all
 * elements in any order. An add or remove that answers true changed the set, one that answers false found nothing to
 * change; any other answer says nothing. One set a key; `init` lists the elements before.
 * Throws DeclarationError when the semantics are wrong.
 */
export function set(given?: Partial<Semantics>): Model<Elements> {
  const semantics = semanticsOf(name, given, [])
  const init = semantics.init ?? []
  if (!Array.isArray(init)) {
    throw new DeclarationError('model-semantics', `${name}(): init must be a list of elements`, {
      hint: 'such as [1, 2]',
    })
  }
  const initial = [...new Set(init.map(canonical))].sort()

  const actionOf = (operation: ModelOperation): Action | null => {
    const { type, input, output, outcome } = operation
    const role = Object.hasOwn(roles, type) ? roles[type] : undefined
    if (outcome === 'failed' || role === undefined) return null
    if (role === 'read') {
      if (outcome === 'unknown' || (output === null && semantics.nullRead === 'unknown')) return null
      const elements = output ?? init
      if (!Array.isArray(elements)) throw unreadable(name, operation, 'answers the list of the elements')
      return { role, elements }
    }
    const answer = typeof output === 'boolean' && typeof input !== 'boolean' ? output : null
    if (role === 'contains') {
      if (outcome === 'unknown' || output === null) return null
      if (typeof output !== 'boolean') throw unreadable(name, operation, 'answers true or false')
      return { role, element: input, answer: output }
    }
    return { role, element: input, answer: outcome === 'ok' ? answer : null }
  }

  return {
    name,
    operations: Object.keys(roles),
    requires: [],
    semantics,
    partition: 'key',
    init: () => initial,
    // JSON has no bare line ends, so this tells any two lists apart.
    identity: (state) => state.join('\n'),
    step(state, operation) {
      const action = actionOf(operation)
      if (action === null) return state
      if (action.role === 'read') {
        const seen = action.elements.map(canonical).sort()
        return seen.length === state.length && seen.every((element, i) => element === state[i])
          ? state
          : undefined
      }
      const element = canonical(action.element)
      const present = state.includes(element)
      if (action.role === 'contains') return action.answer === present ? state : undefined
      const changes = present === (action.role === 'remove')
      if (action.answer !== null && action.answer !== changes) return undefined
      if (!changes) return state
      return present ? state.filter((other) => other !== element) : [...state, element].sort()
    },
    isObserver(type, operation) {
      if (roles[type] === 'read' || roles[type] === 'contains') return true
      if (operation === undefined) return false
      const action = actionOf(operation)
      return action === null || (action.role !== 'read' && action.answer === false)
    },
    // The columns know no elements from before the history.
    ...(initial.length === 0 ? { object: byElement(actionOf) } : {}),
    describeOperation: (operation) =>
      describeCall(roles[operation.type] === 'read' ? { ...operation, input: null } : operation),
    describeState: (state) => (state.length === 0 ? 'the empty set' : `{${state.join(', ')}}`),
  }
}

/** Without reads of the whole set every element is an object of its own; with them, a set that only grows. */
function byElement(actionOf: (operation: ModelOperation) => Action | null): ObjectEncoding {
  return {
    type: 'set',
    encode(operation, codes) {
      const action = actionOf(operation)
      if (action === null) return true
      if (action.role === 'read') return false
      const answer = action.answer === null ? none : Number(action.answer)
      codes.put(setKind[action.role], codes.idOf(action.element), answer)
      return true
    },
    element: ({ type, input }) => (roles[type] === 'read' ? null : input),
    otherwise: {
      type: 'grow-set',
      encode(operation, codes) {
        const action = actionOf(operation)
        if (action === null) return true
        if (action.role === 'read') {
          codes.put(
            growSetKind.read,
            none,
            none,
            action.elements.map((one) => codes.idOf(one)),
          )
          return true
        }
        // Of elements that are added once, every add changes the set.
        if (action.role !== 'add' || action.answer === false) return false
        codes.put(growSetKind.add, codes.idOf(action.element), none)
        return true
      },
    },
  }
}
