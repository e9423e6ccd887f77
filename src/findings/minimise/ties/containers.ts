import type { Operation } from '../../../history/operation.js'
import { canonical } from '../../../models/canonical.js'
import { addTo } from './lists.js'
import type { Ties } from './ties.js'

/** What an operation does to a container. */
export type Traffic =
  | { readonly does: 'put' | 'take'; readonly element: string }
  /** It may have taken any element, or none. */
  | { readonly does: 'take-unseen' }
  | { readonly does: 'nothing' }

/**
 * For queues, stacks and the like: whatever put an element in or took it out stays or goes together, since an element that
 * only came, or only left, is another history. One that is not known to have left goes with the takes of unknown outcome
 * that began in time to have taken it.
 */
export function containers(
  history: readonly Operation[],
  { trafficOf }: { trafficOf: (operation: Operation) => Traffic },
): Ties {
  const elementOf = new Map<Operation, string>()
  const groups = new Map<string, { readonly puts: Operation[]; readonly takes: Operation[] }>()
  const unseen = new Map<Operation['key'], Operation[]>()
  for (const operation of history) {
    const traffic = trafficOf(operation)
    if (traffic.does === 'take-unseen') addTo(unseen, operation.key, operation)
    if (traffic.does !== 'put' && traffic.does !== 'take') continue
    const element = `${JSON.stringify(operation.key)} ${traffic.element}`
    const group = groups.get(element) ?? { puts: [], takes: [] }
    groups.set(element, group)
    elementOf.set(operation, element)
    ;(traffic.does === 'put' ? group.puts : group.takes).push(operation)
  }
  return {
    causesOf(operation, until) {
      const group = groups.get(elementOf.get(operation) ?? '')
      if (group === undefined) return []
      const causes = [...group.puts, ...group.takes]
      if (group.takes.length < group.puts.length) {
        for (const take of unseen.get(operation.key) ?? []) if (take.invoke_ts <= until) causes.push(take)
      }
      return causes
    },
  }
}

/** What an operation does to a container by its input and answer, whatever its type is called. */
export function trafficByValues({
  input,
  output,
  complete_ts: completed,
  error,
  op_type,
}: Operation): Traffic {
  if (completed !== null && error !== null) return { does: 'nothing' }
  if (input !== null) return { does: 'put', element: canonical(input) }
  if (completed === null) return { does: 'take-unseen' }
  const isTake = output !== null && !Array.isArray(output) && op_type !== 'read'
  return isTake ? { does: 'take', element: canonical(output) } : { does: 'nothing' }
}
