import type { Json } from '../json.js'
import type { Model, Semantics } from './model.js'
import { sequenceModel } from './sequence.js'

/**
 * A stack, last in first out: `push(v)`, `pop -> v`, null when it was empty. One stack a key. `init` lists the elements
 * that are in it at first, the bottom first.
 * Throws DeclarationError when the semantics are wrong.
 */
export function stack(semantics?: Partial<Semantics>): Model<readonly Json[]> {
  return sequenceModel(
    { name: 'stack', put: 'push', take: 'pop', object: 'stack', takes: 'newest' },
    semantics,
  )
}
