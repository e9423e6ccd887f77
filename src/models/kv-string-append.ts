import { DeclarationError } from '../errors.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const readTypes: ReadonlySet<string> = new Set(['get', 'read'])
const writeTypes: ReadonlySet<string> = new Set(['put', 'write', 'set'])

/**
 * One string a key: `append(s)` adds to its end, `put(s)` (or `write`, `set`) replaces it, `get -> s` (or `read`)
 * returns the whole of it. A key that was never written is the empty string; a null read saw that, or nothing is
 * known of it. Throws DeclarationError when the semantics are wrong.
 */
export function kvStringAppend(given?: Partial<Semantics>): Model<string> {
  const name = 'kv-string-append'
  const semantics = semanticsOf(name, given, '')
  const init = semantics.init ?? ''
  if (typeof init !== 'string') {
    throw new DeclarationError(
      'model-semantics',
      `${name}(): init must be a string, got ${JSON.stringify(init)}`,
    )
  }
  return {
    name,
    operations: ['get', 'read', 'put', 'write', 'set', 'append'],
    requires: ['key', 'node_seen'],
    semantics,
    partition: 'key',
    init: () => init,
    identity: (state) => state,
    step(state, operation) {
      const { type, input, output, outcome } = operation
      if (outcome === 'failed') return state
      if (readTypes.has(type)) {
        if (outcome === 'unknown' || (output === null && semantics.nullRead === 'unknown')) return state
        return (output ?? '') === state ? state : undefined
      }
      if (typeof input !== 'string') throw unreadable(name, operation, 'takes a string as input')
      return writeTypes.has(type) ? input : state + input
    },
    isObserver: (type, operation) => readTypes.has(type) || operation?.outcome === 'failed',
    isOverwrite: ({ type, outcome }) => writeTypes.has(type) && outcome !== 'failed',
    leadsTo(state, { type, output, outcome }) {
      if (!readTypes.has(type) || outcome !== 'ok') return true
      if (output === null && semantics.nullRead === 'unknown') return true
      const seen = output ?? ''
      return typeof seen !== 'string' || seen.startsWith(state)
    },
    describeOperation: describeCall,
    describeState: describeValue,
  }
}
