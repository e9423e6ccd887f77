import type { Json } from '../json.js'
import type { Model, Semantics } from './model.js'
import { singleValueModel } from './single-value.js'

/**
 * A map from keys to values: `put(v)` (or `write`, `set`), `get -> v` (or `read`), `delete` (or `remove`), each on the
 * operation's key. An absent key reads as null. Throws DeclarationError when the semantics are wrong.
 */
export function map(semantics?: Partial<Semantics>): Model<Json> {
  return singleValueModel({
    name: 'map',
    roles: {
      get: 'read',
      read: 'read',
      put: 'write',
      write: 'write',
      set: 'write',
      delete: 'delete',
      remove: 'delete',
    },
    requires: ['key', 'node_seen'],
    semantics,
  })
}
