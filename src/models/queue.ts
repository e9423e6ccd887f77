import type { Json } from '../json.js'
import type { Model, Semantics } from './model.js'
import { sequenceModel } from './sequence.js'

/**
 * A queue, first in first out: `enqueue(v)`, `dequeue -> v`, null when it was empty. One queue a key. `init` lists the
 * elements that are in it at first, the next one to leave first.
 * Throws DeclarationError when the semantics are wrong.
 */
export function queue(semantics?: Partial<Semantics>): Model<readonly Json[]> {
  return sequenceModel(
    { name: 'queue', put: 'enqueue', take: 'dequeue', object: 'queue', takes: 'oldest' },
    semantics,
  )
}
