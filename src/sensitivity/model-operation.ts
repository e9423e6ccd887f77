import { outcomeOf, type Operation } from '../history/operation.js'
import type { Model, ModelOperation } from '../models/model.js'

/** A recorded operation as the model sees it. */
export function seenBy(model: Model, operation: Operation): ModelOperation {
  const { op_type: type, key, input, output, process_id: process } = operation
  const outcome = outcomeOf(operation)
  const seen = { type, key, input, output: outcome === 'unknown' ? null : output, outcome }
  return model.requires.includes('process_id') ? { ...seen, process } : seen
}
