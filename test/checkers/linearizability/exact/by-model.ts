import { outcomeOf, type Operation } from '../../../../src/history/operation.js'
import type { Model, ModelOperation } from '../../../../src/models/model.js'

/** Linearizability by its definition: tries every order of a small history that fits real time, on the model's states. */
export function isLinearizableBy(model: Model, operations: readonly Operation[]): boolean {
  const relevant = operations.filter((one) => outcomeOf(one) !== 'failed')
  const seen: ModelOperation[] = relevant.map((one) => ({
    type: one.op_type,
    key: one.key,
    input: one.input,
    output: one.output,
    outcome: outcomeOf(one),
    process: one.process_id,
  }))
  const required = relevant.reduce((bits, one, i) => (one.complete_ts === null ? bits : bits | (1 << i)), 0)
  const dead = new Set<string>()

  const canFinish = (placed: number, state: unknown): boolean => {
    if ((placed & required) === required) return true
    const name = `${placed} ${model.identity(state)}`
    if (dead.has(name)) return false
    let firstReturn = Infinity
    relevant.forEach((one, i) => {
      if ((placed & (1 << i)) === 0 && one.complete_ts !== null) {
        firstReturn = Math.min(firstReturn, one.complete_ts)
      }
    })
    const works = relevant.some((one, i) => {
      if ((placed & (1 << i)) !== 0 || one.invoke_ts > firstReturn) return false
      const next = model.step(state, seen[i] as ModelOperation)
      return next !== undefined && canFinish(placed | (1 << i), next)
    })
    if (!works) dead.add(name)
    return works
  }
  return canFinish(0, model.init(null))
}
