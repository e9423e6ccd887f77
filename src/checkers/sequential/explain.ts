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
    return { type: 'not-sequential', explanation, operations }
  }
  const list = core.length <= mostTold ? `: ${core.map(tell).join('; ')}` : ''
  const explanation = `No order that keeps the order of each process explains these ${core.length} operations${list}`
  return { type: 'not-sequential', explanation, operations }
}
