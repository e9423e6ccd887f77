import type { Model } from '../../../models/model.js'
import { seenBy } from '../../../sensitivity/model-operation.js'
import type { FromAState } from './from-a-state.js'

/** In a sentence or two: from which state on what is not possible, and how that is known. */
export function explainFromAState({ beginning, operations, open }: FromAState, model: Model): string {
  const { state, shownBy } = beginning
  const [only, ...others] = operations
  const what =
    only !== undefined && others.length === 0
      ? `${model.describeOperation(seenBy(model, only))} (operation ${JSON.stringify(only.op_id)}) is not possible`
      : `No order of these ${operations.length} operations is possible`
  const shown = `which ${model.describeOperation(seenBy(model, shownBy))} (operation ${JSON.stringify(shownBy.op_id)}) shows`
  const whatever =
    open.length === 0
      ? ''
      : ` It makes no difference which of ${open.length === 1 ? 'one other change' : `${open.length} other changes`} took effect in between, if any.`
  return `${what} from the state ${state} on, ${shown}.${whatever}`
}
