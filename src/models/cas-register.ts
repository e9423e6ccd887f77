import type { Json } from '../json.js'
import type { Model, Semantics } from './model.js'
import { singleValueModel } from './single-value.js'

/**
 * A register with `cas([expected, new])` (or `compare-and-set`) besides reads and writes. One register a key.
 *
 * A CAS whose output is false was refused because it met another value. A CAS that failed is left out, or with
 * `failed: 'observed'` counts as refused. Throws DeclarationError when the semantics are wrong.
 */
export function casRegister(semantics?: Partial<Semantics>): Model<Json> {
  return singleValueModel({
    name: 'cas-register',
    roles: {
      read: 'read',
      get: 'read',
      write: 'write',
      put: 'write',
      set: 'write',
      cas: 'cas',
      'compare-and-set': 'cas',
    },
    requires: ['node_seen'],
    semantics,
  })
}
