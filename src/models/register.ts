import type { Json } from '../json.js'
import type { Model, Semantics } from './model.js'
import { singleValueModel } from './single-value.js'

/**
 * A value that is written and read: `write(v)` (or `put`, `set`), `read -> v` (or `get`). One register a key.
 * Throws DeclarationError when the semantics are wrong.
 */
export function register(semantics?: Partial<Semantics>): Model<Json> {
  return singleValueModel({
    name: 'register',
    roles: { read: 'read', get: 'read', write: 'write', put: 'write', set: 'write' },
    requires: ['node_seen'],
    semantics,
  })
}
