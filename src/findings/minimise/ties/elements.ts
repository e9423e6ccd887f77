import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import { addTo } from './lists.js'
import type { Ties } from './ties.js'

const observers: ReadonlySet<string> = new Set(['contains', 'read'])

/**
 * For sets that are empty at first: what is done to an element depends on what else changed that element, and on no other
 * one. A read of the whole set is judged as one of the elements that the part has operations of, and of those that
 * nobody ever added: what else it saw is of no concern.
 */
export function elements(history: readonly Operation[]): Ties {
  const changes = new Map<string, Operation[]>()
  const added = new Set<string>()
  for (const operation of history) {
    if (observers.has(operation.op_type) || outcomeOf(operation) === 'failed') continue
    addTo(changes, elementOf(operation), operation)
    if (operation.op_type === 'add' || operation.op_type === 'insert') added.add(elementOf(operation))
  }
  return {
    causesOf: (operation) => (operation.op_type === 'read' ? [] : (changes.get(elementOf(operation)) ?? [])),
    shown(part) {
      const known = new Set(part.filter(({ op_type }) => op_type !== 'read').map(elementOf))
      return part.map((operation) => {
        const { op_type: type, key, output } = operation
        if (type !== 'read' || !Array.isArray(output)) return operation
        const isOfConcern = (element: Json) => {
          const name = nameOf(key, element)
          return known.has(name) || !added.has(name)
        }
        return { ...operation, output: output.filter(isOfConcern) }
      })
    },
  }
}

function elementOf({ key, input }: Operation): string {
  return nameOf(key, input)
}

function nameOf(key: Operation['key'], element: Json): string {
  return `${JSON.stringify(key)} ${canonical(element)}`
}
