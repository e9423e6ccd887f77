import type { Operation } from '../../../history/operation.js'
import type { Model } from '../../../models/model.js'
import { attributed } from '../../../models/operation-error.js'
import { seenBy } from '../../../sensitivity/model-operation.js'
import { addTo, countUpTo } from './lists.js'
import type { Ties } from './ties.js'

/**
 * For objects of which nothing else is known: an answer may depend on every change of the object that began before it was
 * given, and on no other. In sequential consistency, where time says nothing, on every change there is.
 */
export function everythingBefore(
  history: readonly Operation[],
  { model, inRealTime }: { model: Model; inRealTime: boolean },
): Ties {
  const changes = new Map<Operation['key'], Operation[]>()
  const placeOf = new Map<Operation, number>()
  const objectOf = ({ key }: Operation) => (model.partition === 'key' ? key : null)
  for (const operation of history) {
    if (!model.operations.includes(operation.op_type)) continue
    const isObserver = attributed(operation.op_id, () =>
      model.isObserver(operation.op_type, seenBy(model, operation)),
    )
    if (isObserver) continue
    placeOf.set(operation, changes.get(objectOf(operation))?.length ?? 0)
    addTo(changes, objectOf(operation), operation)
  }

  return {
    // The last change before and, of a change, the one before: from there on the chain leads to all of them.
    causesOf(operation) {
      const all = changes.get(objectOf(operation)) ?? []
      const place = placeOf.get(operation)
      const causes = place !== undefined && place > 0 ? [all[place - 1] as Operation] : []
      const { complete_ts: completed } = operation
      if (completed === null || (place === undefined && !model.operations.includes(operation.op_type)))
        return causes
      const count = inRealTime ? countUpTo(all, completed, ({ invoke_ts: invoked }) => invoked) : all.length
      const last = all[count - 1]
      return last === undefined || last === operation ? causes : [...causes, last]
    },
  }
}
