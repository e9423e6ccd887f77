import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { describeCall } from './describe.js'
import type { Model, ModelOperation, ObjectEncoding, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'
import { set } from './set.js'

const name = 'membership-table'

const inASet: Readonly<Record<string, string>> = { join: 'add', leave: 'remove', view: 'read' }

/**
 * Who belongs to a group: `join(member)`, `leave(member)`, and `view -> list` of the members in any order, or
 * `{ members, … }`. A join or leave that answers true changed the table, one that answers false found nothing to change;
 * any other answer says nothing. One table a key; `init` lists the members before.
 * Throws DeclarationError when the semantics are wrong.
 */
export function membershipTable(given?: Partial<Semantics>): Model<readonly string[]> {
  const semantics = semanticsOf(name, given, [])
  if (semantics.init !== null && !Array.isArray(semantics.init)) {
    throw new DeclarationError('model-semantics', `${name}(): init must be a list of members`, {
      hint: 'such as ["n1", "n2"]',
    })
  }
  const members = set(semantics)
  return {
    ...members,
    name,
    operations: Object.keys(inASet),
    requires: ['node_seen'],
    step: (state, operation) => members.step(state, asOfASet(operation)),
    isObserver: (type, operation) =>
      members.isObserver(inASet[type] ?? type, operation && asOfASet(operation)),
    ...(members.object === undefined ? {} : { object: translated(members.object) }),
    describeOperation: (operation) =>
      describeCall(operation.type === 'view' ? { ...operation, input: null } : operation),
    describeState: (state) => (state.length === 0 ? 'no members' : `members ${state.join(', ')}`),
  }
}

/** The same operation on the set of the members. */
function asOfASet(operation: ModelOperation): ModelOperation {
  const { type, input, output, outcome } = operation
  const does = inASet[type] ?? type
  if (outcome === 'failed') return { ...operation, type: does }
  if (type !== 'view') {
    if (input === null) throw unreadable(name, operation, 'takes a member as input')
    return { ...operation, type: does }
  }
  const listed = listOf(output)
  if (listed !== null && !Array.isArray(listed)) {
    throw unreadable(name, operation, 'answers the list of the members or { members }')
  }
  return { ...operation, type: does, output: listed }
}

function listOf(output: Json): Json {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return output
  return output['members'] ?? output
}

function translated(encoding: ObjectEncoding): ObjectEncoding {
  const { type, element, otherwise } = encoding
  return {
    type,
    encode: (operation, codes) => encoding.encode(asOfASet(operation), codes),
    ...(element === undefined ? {} : { element: (operation) => element(asOfASet(operation)) }),
    ...(otherwise === undefined ? {} : { otherwise: translated(otherwise) }),
  }
}
