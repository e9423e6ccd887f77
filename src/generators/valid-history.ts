import type { Operation } from '../history/operation.js'
import { modelNamed } from '../models/named.js'
import type { Model } from '../models/model.js'
import { Random } from '../random/random.js'
import { playerOf } from './player-of.js'
import { shapeOf, type HistoryShape } from './shape.js'
import { Stage } from './stage.js'

/**
 * A random history that is linearizable by construction: clients overlap, and each operation takes effect at a hidden
 * moment between its invocation and its return as the model says, with an answer to match.
 *
 * Operations of unknown outcome take effect then, later, or never, and retire their process as the recorder does. Failed
 * ones do not take effect. Written values are distinct. Timestamps are nanoseconds, each later than the one before.
 * `model` is a model of this package, whose `init` is where the history begins, or its name.
 * Throws DeclarationError when the shape is wrong or the model is none of those.
 */
export function validHistory(model: Model | string, given: HistoryShape): readonly Operation[] {
  const shape = shapeOf(given)
  const { name, semantics } = typeof model === 'string' ? modelNamed(model) : model
  const random = new Random(shape.seed)
  const keys = shape.keys === 1 ? [null] : Array.from({ length: shape.keys }, (_, index) => `k${index}`)
  return new Stage(playerOf(name, { semantics, keys, random }), { shape, random }).play()
}
