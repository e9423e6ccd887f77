import { containerKind, none, type ObjectType } from './object-codes.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { containerOf, type ContainerDefinition } from './container.js'
import { describeValue } from './describe.js'
import type { Model, Semantics } from './model.js'

/** A container that keeps its elements in the order in which they came. */
export interface SequenceDefinition extends ContainerDefinition {
  readonly object: ObjectType
  /** Which element a take removes. */
  readonly takes: 'oldest' | 'newest'
}

/**
 * The models whose state is a list of elements, oldest first: `queue` and `stack`. Every key is an object of its own.
 * Throws DeclarationError when the semantics are wrong.
 */
export function sequenceModel(
  definition: SequenceDefinition,
  given?: Partial<Semantics>,
): Model<readonly Json[]> {
  const { initial, actionOf, base } = containerOf(definition, given)
  const oldest = definition.takes === 'oldest'

  return {
    ...base,
    init: () => initial,
    step(state, operation) {
      const action = actionOf(operation)
      if (action.does === 'nothing') return state
      if (action.does === 'put') return [...state, action.element]
      if (action.does === 'take-unseen') return oldest ? state.slice(1) : state.slice(0, -1)
      const next = oldest ? state[0] : state.at(-1)
      if (action.element === null || next === undefined) {
        return action.element === null && next === undefined ? state : undefined
      }
      if (canonical(next) !== canonical(action.element)) return undefined
      return oldest ? state.slice(1) : state.slice(0, -1)
    },
    identity: (state) => canonical(state as Json),
    ...(initial.length > 0
      ? {}
      : {
          object: {
            type: definition.object,
            encode(operation, codes) {
              const action = actionOf(operation)
              if (action.does === 'nothing') return true
              if (action.does === 'put') {
                codes.put(containerKind.put, codes.idOf(action.element), none)
                return true
              }
              if (action.does === 'take-unseen' && operation.outcome === 'ok') return false
              const hasElement = action.does === 'take' && action.element !== null
              codes.put(containerKind.take, hasElement ? codes.idOf(action.element) : none, none)
              return true
            },
          },
        }),
    describeState: (state) => describeValue(state as Json),
  }
}
