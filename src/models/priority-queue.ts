import { containerKind, none } from './object-codes.js'
import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { containerOf } from './container.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { without, withoutAny, withElement, type PriorityLevel } from './priority-level.js'

const name = 'priority-queue'

/**
 * A priority queue: `insert(e)`, `poll -> e`, an element of the highest priority, null when it was empty. An element is
 * `{ priority, value }`, or a number that is its own priority. Of equal priorities any may come first. One queue a key.
 * `init` lists the elements that are in it at first.
 * Throws DeclarationError when the semantics are wrong.
 */
export function priorityQueue(given?: Partial<Semantics>): Model<readonly PriorityLevel[]> {
  const { initial, actionOf, base } = containerOf({ name, put: 'insert', take: 'poll' }, given)
  const levels = initialLevels(initial)
  const priorityIn = (operation: ModelOperation, element: Json): number => {
    const priority = priorityOf(element)
    if (priority !== undefined) return priority
    throw unreadable(name, operation, 'is of a number or { priority, value }')
  }

  return {
    ...base,
    init: () => levels,
    step(state, operation) {
      const action = actionOf(operation)
      if (action.does === 'nothing') return state
      if (action.does === 'put') return inserted(state, action.element, priorityIn(operation, action.element))
      const [top, ...rest] = state
      if (action.does === 'take-unseen') return top === undefined ? state : withTop(withoutAny(top), rest)
      if (action.element === null) return top === undefined ? state : undefined
      if (top?.priority !== priorityIn(operation, action.element)) return undefined
      const after = without(top, canonical(action.element))
      return after === undefined ? undefined : withTop(after, rest)
    },
    identity: (state) => JSON.stringify(state),
    ...(initial.length > 0
      ? {}
      : {
          object: {
            type: 'priority-queue',
            encode(operation, codes) {
              const action = actionOf(operation)
              if (action.does === 'nothing') return true
              if (action.does === 'take-unseen' || action.element === null) {
                if (action.does === 'take-unseen' && operation.outcome === 'ok') return false
                codes.put(containerKind.take, none, none)
                return true
              }
              const priority = priorityIn(operation, action.element)
              if (priority !== (priority | 0)) return false
              codes.put(containerKind[action.does], codes.idOf(action.element), priority)
              return true
            },
          },
        }),
    describeState: describeLevels,
  }
}

function priorityOf(element: Json): number | undefined {
  if (typeof element === 'number') return element
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined
  return typeof element['priority'] === 'number' && 'value' in element ? element['priority'] : undefined
}

function initialLevels(elements: readonly Json[]): readonly PriorityLevel[] {
  return elements.reduce<readonly PriorityLevel[]>((levels, element) => {
    const priority = priorityOf(element)
    if (priority !== undefined) return inserted(levels, element, priority)
    throw new DeclarationError(
      'model-semantics',
      `${name}(): init must list numbers or { priority, value }, got ${JSON.stringify(element)}`,
    )
  }, [])
}

function inserted(
  levels: readonly PriorityLevel[],
  element: Json,
  priority: number,
): readonly PriorityLevel[] {
  const above = levels.filter((level) => level.priority > priority)
  const below = levels.filter((level) => level.priority < priority)
  const same = levels.find((level) => level.priority === priority) ?? { priority, waves: [] }
  return [...above, withElement(same, canonical(element)), ...below]
}

function withTop(top: PriorityLevel | null, rest: readonly PriorityLevel[]): readonly PriorityLevel[] {
  return top === null ? rest : [top, ...rest]
}

function describeLevels(levels: readonly PriorityLevel[]): string {
  const described = levels.map(({ priority, waves }) => {
    const elements = waves.flatMap((wave) => wave.elements).join(', ')
    const gone = waves.reduce((sum, wave) => sum + wave.gone, 0)
    return `priority ${priority}: ${elements}${gone === 0 ? '' : ` without ${gone} of them`}`
  })
  return described.length === 0 ? 'empty' : described.join('; ')
}
