import type { Model, Semantics } from './model.js'
import { permitModel, type Holders } from './semaphore.js'

/**
 * A lock that is not re-entrant: `acquire` by a process, `release` by the process that holds it. An answer of false
 * means refused: somebody held it, or the process did not. Other answers, such as fencing tokens, say nothing.
 * One lock a key. Throws DeclarationError when the semantics are wrong.
 */
export function lock(semantics?: Partial<Pick<Semantics, 'nullRead' | 'failed'>>): Model<Holders> {
  return permitModel('lock', 1, semantics)
}
