import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

const putTypes: ReadonlySet<string> = new Set(['enqueue', 'push', 'insert', 'offer', 'send', 'publish'])
const takeTypes: ReadonlySet<string> = new Set(['dequeue', 'pop', 'poll', 'receive', 'consume', 'drain'])

/** An element that was put in once and by an acknowledged operation. */
export interface Element {
  readonly value: Json
  readonly put: Operation
  /** The acknowledged operations that took it out. */
  readonly takes: readonly Operation[]
}

/** Everything that happened to one queue, stack or priority queue. */
export interface ContainerHistory {
  readonly key: Operation['key']
  /** Every element that some operation tried to put in, or that was there at first. */
  readonly known: ReadonlySet<string>
  /** By the element as canonical JSON, in order of their puts. */
  readonly elements: ReadonlyMap<string, Element>
  /** Acknowledged takes of one element, in order of invocation. */
  readonly takes: readonly Operation[]
  /** Some take may have taken an element that nobody knows. */
  readonly hasBlindTakes: boolean
  /** It was found empty after all acknowledged puts had returned. */
  readonly isDrained: boolean
}

/** The history of each container by its key; none when there are no operations of containers. */
export const containerHistories = perHistory(
  ({ operations, model }: CleanHistory): readonly ContainerHistory[] => {
    const touching = operations.filter(({ op_type: type }) => putTypes.has(type) || takeTypes.has(type))
    const keys = grouped(touching, ({ key }) => key)
    const init = model?.semantics.init
    const initial = Array.isArray(init) ? init.map(canonical) : []
    const saysNull = model?.semantics.nullRead !== 'unknown'
    return [...keys].map(([key, its]) => historyOf(key, its, { initial, saysNull }))
  },
)

function historyOf(
  key: Operation['key'],
  operations: readonly Operation[],
  { initial, saysNull }: { initial: readonly string[]; saysNull: boolean },
): ContainerHistory {
  const known = new Set(initial)
  const repeated = new Set<string>()
  const elements = new Map<string, { value: Json; put: Operation; takes: Operation[] }>()
  const takes: Operation[] = []
  let hasBlindTakes = false
  let [lastPut, lastEmpty] = [-1, -1]
  for (const operation of operations) {
    const outcome = outcomeOf(operation)
    if (putTypes.has(operation.op_type)) {
      const text = canonical(operation.input)
      if (known.has(text)) repeated.add(text)
      known.add(text)
      if (outcome === 'ok') lastPut = Math.max(lastPut, operation.complete_ts ?? Infinity)
      if (outcome === 'ok') elements.set(text, { value: operation.input, put: operation, takes: [] })
    } else if (outcome === 'unknown' || (outcome === 'ok' && operation.output === null && !saysNull)) {
      hasBlindTakes = true
    } else if (outcome === 'ok' && (operation.output === null || operation.op_type === 'drain')) {
      lastEmpty = Math.max(lastEmpty, operation.invoke_ts)
    } else if (outcome === 'ok') {
      takes.push(operation)
    }
  }
  for (const text of repeated) elements.delete(text)
  for (const take of takes) elements.get(canonical(take.output))?.takes.push(take)
  return { key, known, elements, takes, hasBlindTakes, isDrained: lastPut < lastEmpty }
}

/** What a take took out, where that was put in once and taken out once. */
export function takenBy({ elements }: ContainerHistory, take: Operation): Element | null {
  const element = elements.get(canonical(take.output))
  return element?.takes.length === 1 ? element : null
}

/** For words: an operation by its id. */
export function named({ op_type: type, op_id: id }: Operation): string {
  return `${type} (operation ${JSON.stringify(id)})`
}
