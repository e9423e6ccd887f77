import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { Model } from '../../models/model.js'
import { attributed, unreadable } from '../../models/operation-error.js'

/** An answered read of a whole set. */
export interface SetRead {
  readonly operation: Operation
  readonly elements: readonly Json[]
}

/** An answered question whether a set holds one element, which is the input. */
export interface SetLookup {
  readonly operation: Operation
  readonly isThere: boolean
}

/** What was done with the set of one key, in order of the history. */
export interface SetOperations {
  readonly key: string | number | null
  /** Of every outcome. */
  readonly adds: Operation[]
  /** Those that may have happened. */
  readonly removes: Operation[]
  readonly reads: SetRead[]
  readonly lookups: SetLookup[]
}

export interface SetHistory {
  readonly sets: readonly SetOperations[]
  /** What the sets held before the first operation. */
  readonly initial: readonly Json[]
  /** Operations on sets, of all outcomes. */
  readonly count: number
}

const adding = new Set(['add', 'insert'])
const removing = new Set(['remove', 'delete'])

/**
 * Sorts operations by key and by what they do: `add` or `insert` of the element in the input, `remove` or `delete`
 * likewise, `contains` of one that answers true or false, and `read` of a list of all elements, or of an object with that
 * list as its `value`. Others are passed over, and so are other answers of `contains`. Reads of null hold what the model's semantics say, and nothing can be said of them without a model.
 * Throws ModelOperationError when a read answers something else.
 */
export function setHistoryOf(operations: readonly Operation[], model: Model | null): SetHistory {
  const init = model?.semantics.init
  const initial = Array.isArray(init) ? init : []
  const whenNull = model?.semantics.nullRead === 'absent' ? initial : null
  const sets = new Map<string | number | null, SetOperations>()
  let count = 0
  for (const operation of operations) {
    const { key, op_type: type } = operation
    const isAdd = adding.has(type)
    const isRemove = removing.has(type)
    if (!isAdd && !isRemove && type !== 'read' && type !== 'contains') continue
    count += 1
    let set = sets.get(key)
    if (set === undefined) {
      set = { key, adds: [], removes: [], reads: [], lookups: [] }
      sets.set(key, set)
    }
    if (isAdd) set.adds.push(operation)
    else if (isRemove) {
      if (outcomeOf(operation) !== 'failed') set.removes.push(operation)
    } else if (outcomeOf(operation) !== 'ok') continue
    else if (type === 'contains') {
      const { output } = operation
      if (typeof output === 'boolean') set.lookups.push({ operation, isThere: output })
    } else {
      const elements = elementsOf(operation, whenNull)
      if (elements !== null) set.reads.push({ operation, elements })
    }
  }
  return { sets: [...sets.values()], initial, count }
}

function elementsOf(operation: Operation, whenNull: readonly Json[] | null): readonly Json[] | null {
  const { output } = operation
  if (output === null) return whenNull
  const list = listIn(output)
  if (list !== null) return list
  return attributed(operation.op_id, () => {
    const { op_type: type, key, input } = operation
    throw unreadable('set', { type, key, input, output, outcome: 'ok' }, 'answers the list of the elements')
  })
}

/** The elements that an answer lists, null when it is no list. */
export function listIn(answer: Json): readonly Json[] | null {
  if (Array.isArray(answer)) return answer
  const value = typeof answer === 'object' && answer !== null ? answer['value'] : null
  return Array.isArray(value) ? value : null
}
