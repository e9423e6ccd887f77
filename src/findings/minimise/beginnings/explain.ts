import type { Operation } from '../../../history/operation.js'
import type { Model } from '../../../models/model.js'
import { seenBy } from '../../../sensitivity/model-operation.js'
import type { FromAState } from './from-a-state.js'

/** In a sentence: what the state was, how that is known, and what is not possible from there on. */
export function explainFromAState({ beginning, operations, open }: FromAState, model: Model): string {
  const { state, shownBy } = beginning
  const tell = (operation: Operation) =>
    `${model.describeOperation(seenBy(model, operation))} (operation ${JSON.stringify(operation.op_id)})`
  const [first, ...others] = operations
  const what =
    first !== undefined && others.length === 0
      ? `${tell(first)} is not possible`
      : `no order of these ${operations.length} operations is possible`
  const changes = open.length === 1 ? 'one other change' : `${open.length} other changes`
  const whatever = open.length === 0 ? '' : `, whichever of ${changes} took effect meanwhile`
  return `The state was ${state}, as ${tell(shownBy)} shows: from there on ${what}${whatever}.`
}
