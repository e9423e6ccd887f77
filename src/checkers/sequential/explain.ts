import type { Model } from '../../models/model.js'
import type { Anomaly } from '../checker.js'
import type { Call } from './calls.js'
import type { Decided } from './decide.js'

/** Beyond this many the operations are given by their ids alone. */
const mostTold = 6

/** Why no order explains the calls, which are few, in a sentence. */
export function explain(
  core: readonly Call[],
  { decided, model }: { decided: Decided; model: Model },
): Anomaly {
  const operations = core.map(({ operation }) => operation.op_id)
  const tell = ({ seen, operation }: Call) =>
    `${model.describeOperation(seen)} by process ${operation.process_id} (op ${operation.op_id})`
  if (decided.phantom) {
    const explanation = `${tell(decided.phantom)} saw a value that no operation of this history wrote`
    return { type: 'value-never-written', explanation, operations }
  }
  const { cycle } = decided
  if (cycle && cycle.length <= mostTold) {
    const explanation = `In any order that keeps the order of each process, ${cycle.map(tell).join(' comes before ')}, which comes before the first again`
    return { type: 'not-sequential', explanation, operations, cycle: asCycle(cycle) }
  }
  const list = core.length <= mostTold ? `: ${core.map(tell).join('; ')}` : ''
  const explanation = `No order that keeps the order of each process explains these ${core.length} operations${list}`
  return { type: 'not-sequential', explanation, operations }
}

/** Each call, which must come before the next one, and why. */
function asCycle(calls: readonly Call[]): Anomaly['cycle'] {
  return calls.map(({ operation: from }, index) => {
    const { operation: to } = calls[(index + 1) % calls.length]!
    const isInTurn =
      from.process_id === to.process_id && from.complete_ts !== null && from.complete_ts <= to.invoke_ts
    const why = isInTurn ? `process ${from.process_id} did them in this order` : 'what was read asks for it'
    return { from: from.op_id, to: to.op_id, why }
  })
}
