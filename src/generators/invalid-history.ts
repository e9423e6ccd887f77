import { DeclarationError } from '../errors.js'
import type { Operation } from '../history/operation.js'
import { modelNamed } from '../models/named.js'
import type { Model } from '../models/model.js'
import { Random } from '../random/random.js'
import { forbiddenBy } from '../sensitivity/forbids.js'
import { Mutants } from '../sensitivity/mutants.js'
import { shapeOf, type HistoryShape } from './shape.js'
import { validHistory } from './valid-history.js'

/** Valid histories that are looked at for a place to break. */
const attempts = 50

/** A history that is not linearizable. */
export interface InvalidHistory {
  readonly operations: readonly Operation[]
  /** How it was broken, in kebab-case, such as `stale-read`. */
  readonly mutation: string
  /** What was changed, and why that must not be, in one sentence without its end mark. */
  readonly what: string
}

/**
 * A random history that is not linearizable by construction: the valid one of the same shape with one change, such as a
 * stale answer or two dequeues that swapped theirs. Where that one has no place to break, another of the shape is taken.
 * Throws DeclarationError as `validHistory` does, and when histories of the shape are too small to break.
 */
export function invalidHistory(model: Model | string, shape: HistoryShape): InvalidHistory {
  const { seed: first } = shapeOf(shape)
  const played = typeof model === 'string' ? modelNamed(model) : model
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const random = new Random(first).fork(`attempt ${attempt}`)
    const seed = attempt === 0 ? first : random.int(0, 2 ** 31 - 1)
    const operations = validHistory(played, { ...shape, seed })
    const clean = { operations, model: played, collected: null }
    const { mutations } = forbiddenBy({ name: 'linearizable', usesModel: true }, clean)
    const mutant = new Mutants(clean, { mutations, random }).next()
    if (mutant !== null) {
      return { operations: mutant.operations, mutation: mutant.mutation, what: mutant.what }
    }
  }
  throw new DeclarationError(
    'history-shape',
    `histories of ${shape.operations} operations on the model ${played.name} have no place for a violation that is sure`,
    { hint: 'ask for more operations, more processes, or fewer of unknown outcome' },
  )
}
