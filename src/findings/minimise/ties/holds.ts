import { outcomeOf, type Operation } from '../../../history/operation.js'
import { addTo } from './lists.js'
import type { Ties } from './ties.js'

/**
 * For locks and semaphores: an acquire stays or goes with the release that ends its hold, since without it the hold would
 * never end. A refusal depends on whatever was acquired and released before it was given.
 */
export function holds(history: readonly Operation[]): Ties {
  const changes = new Map<Operation['key'], Operation[]>()
  const groups = new Map<Operation, Operation[]>()
  const open = new Map<string, { readonly members: Operation[]; held: number }>()
  for (const operation of history) {
    if (outcomeOf(operation) === 'failed' || isRefusal(operation)) continue
    addTo(changes, operation.key, operation)
    const holder = JSON.stringify([operation.key, operation.process_id])
    const hold = open.get(holder) ?? { members: [], held: 0 }
    open.set(holder, hold)
    hold.members.push(operation)
    groups.set(operation, hold.members)
    hold.held += operation.op_type === 'acquire' ? 1 : -1
    if (hold.held <= 0 && outcomeOf(operation) === 'ok') open.delete(holder)
  }
  return {
    causesOf(operation) {
      if (!isRefusal(operation)) return groups.get(operation) ?? []
      const until = operation.complete_ts as number
      return (changes.get(operation.key) ?? []).filter(({ invoke_ts: invoked }) => invoked <= until)
    },
  }
}

function isRefusal(operation: Operation): boolean {
  return outcomeOf(operation) === 'ok' && operation.output === false
}
