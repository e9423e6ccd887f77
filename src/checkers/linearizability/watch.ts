import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { HistoryWatch } from '../checker.js'
import { OnlineRegister } from './exact/register/online.js'

/**
 * Watches a running history of a model whose state is one value a key, each key by an `OnlineRegister`. Null for any
 * other model.
 *
 * It finds a violation at the operation that completes it, but not every one: a key is left alone once a value is written
 * again, and as soon as an operation compares before it writes. A failed write counts as one of unknown outcome.
 */
export function watchRegisters(model: Model | null): HistoryWatch | null {
  const actionOf = model?.registerAction
  if (model === null || actionOf === undefined) return null
  const registers = new Map<string | number | null, OnlineRegister | null>()
  let violation: readonly Operation['op_id'][] | null = null

  const registerOf = ({ key, op_type: type }: Operation): OnlineRegister | null => {
    if (violation !== null || !model.operations.includes(type)) return null
    const known = registers.get(key)
    if (known !== undefined) return known
    const register = new OnlineRegister(model.identity(model.init(key)))
    registers.set(key, register)
    return register
  }
  const seenBy = (operation: Operation) => {
    const { op_type: type, key, input, output } = operation
    return actionOf.call(model, { type, key, input, output, outcome: outcomeOf(operation) })
  }

  return {
    get violation() {
      return violation
    },
    invoked(operation) {
      const register = registerOf(operation)
      if (register === null) return
      if (model.isObserver(operation.op_type)) return register.invokeRead(operation.op_id)
      const action = seenBy(operation)
      if (action?.writes === undefined || action.reads !== undefined) registers.set(operation.key, null)
      else register.invokeWrite(operation.op_id, action.writes)
    },
    completed(operation) {
      const register = registerOf(operation)
      if (register === null || register.unable !== null) return
      const { op_id: id, op_type: type } = operation
      const action = outcomeOf(operation) === 'ok' ? seenBy(operation) : null
      if (action === null) register.forget(id)
      else if (model.isObserver(type) && action.reads !== undefined) register.returnRead(id, action.reads)
      else register.returnWrite(id)
      violation = register.violation?.operations ?? null
    },
  }
}
