import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Model, ModelOperation } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import type { Call, Partition } from './call.js'

/** A history made ready for the search, and what was left out of it. */
export interface Prepared {
  readonly partitions: readonly Partition[]
  /** Operations that the model understands, whatever their outcome. */
  readonly consumed: number
  /** Types that the model does not understand, in order of first use. */
  readonly foreignTypes: readonly string[]
}

/**
 * Splits a history by key, leaves out what cannot matter, and replaces times by ranks.
 *
 * Left out: operations of types that the model does not know, failed ones unless the model observes failures, and
 * observers of unknown outcome, which say nothing. By locality (Herlihy and Wing, 1990) a history of many objects is
 * linearizable exactly when the history of each object is.
 */
export function prepare(operations: readonly Operation[], model: Model): Prepared {
  const known = new Set(model.operations)
  const tellsProcesses = model.requires.includes('process_id')
  const foreignTypes = new Set<string>()
  const groups = new Map<Partition['key'], Candidate[]>()
  let consumed = 0

  for (const operation of operations) {
    if (!known.has(operation.op_type)) {
      foreignTypes.add(operation.op_type)
      continue
    }
    consumed += 1
    const outcome = outcomeOf(operation)
    if (outcome === 'failed' && model.semantics.failed === 'ignored') continue
    const seen: ModelOperation = {
      type: operation.op_type,
      key: operation.key,
      input: operation.input,
      output: outcome === 'ok' ? operation.output : null,
      outcome,
      ...(tellsProcesses ? { process: operation.process_id } : {}),
    }
    const observer = attributed(operation.op_id, () => model.isObserver(seen.type, seen))
    if (observer && outcome === 'unknown') continue
    const key = model.partition === 'key' ? operation.key : null
    const group = groups.get(key)
    if (group) group.push({ operation, seen, observer })
    else groups.set(key, [{ operation, seen, observer }])
  }

  const partitions = [...groups].map(([key, group]) => ({ key, calls: ranked(group) }))
  return { partitions, consumed, foreignTypes: [...foreignTypes] }
}

type Candidate = Pick<Call, 'operation' | 'seen' | 'observer'>

interface Event {
  readonly at: number
  readonly index: number
  readonly returns: boolean
}

/**
 * Gives every event a rank of its own. At equal times calls come before returns: intervals are closed, so operations
 * that touch are concurrent. The other way round raises false alarms.
 */
function ranked(group: readonly Candidate[]): Call[] {
  const events: Event[] = []
  group.forEach(({ operation, seen }, index) => {
    events.push({ at: operation.invoke_ts, index, returns: false })
    if (seen.outcome !== 'unknown' && operation.complete_ts !== null) {
      events.push({ at: operation.complete_ts, index, returns: true })
    }
  })
  events.sort((a, b) => a.at - b.at || Number(a.returns) - Number(b.returns) || a.index - b.index)

  const invoke = new Array<number>(group.length).fill(0)
  const complete = new Array<number>(group.length).fill(Infinity)
  events.forEach(({ index, returns }, rank) => {
    ;(returns ? complete : invoke)[index] = rank
  })
  return group
    .map((candidate, index) => ({
      ...candidate,
      invoke: invoke[index] ?? 0,
      complete: complete[index] ?? Infinity,
    }))
    .sort((a, b) => a.invoke - b.invoke)
}
