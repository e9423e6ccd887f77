import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { describeCall } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

/** What a container's operations are called. */
export interface ContainerDefinition {
  readonly name: string
  readonly put: string
  readonly take: string
}

/** What an operation does to a container. */
export type ContainerAction =
  | { readonly does: 'nothing' }
  | { readonly does: 'put'; readonly element: Json }
  /** The element is null when the container was empty. */
  | { readonly does: 'take'; readonly element: Json }
  /** What was taken, if anything, is not known. */
  | { readonly does: 'take-unseen' }

/** What all models of containers have in common. */
export interface Container {
  /** The elements that are there at first. */
  readonly initial: readonly Json[]
  /** Throws ModelOperationError when a put has no element. */
  actionOf(operation: ModelOperation): ContainerAction
  readonly base: Pick<
    Model,
    'name' | 'operations' | 'requires' | 'semantics' | 'partition' | 'isObserver' | 'describeOperation'
  >
}

/**
 * Reads the operations of a container: the input of a put is the element, the output of a take is the element that it
 * removed, null when it found the container empty (or, with `nullRead: 'unknown'`, when nothing is known of it).
 * Failed operations did nothing. `init` is the list of elements at first, null for none.
 * Throws DeclarationError when the semantics are wrong.
 */
export function containerOf({ name, put, take }: ContainerDefinition, given?: Partial<Semantics>): Container {
  const semantics = semanticsOf(name, given)
  const initial = semantics.init ?? []
  if (!Array.isArray(initial) || initial.includes(null)) {
    throw new DeclarationError(
      'model-semantics',
      `${name}(): init must be a list of elements other than null, got ${JSON.stringify(initial)}`,
      { hint: 'null or [] when it is empty at first' },
    )
  }

  const actionOf = (operation: ModelOperation): ContainerAction => {
    const { type, input, output, outcome } = operation
    if (outcome === 'failed') return { does: 'nothing' }
    if (type === put) {
      if (input === null) throw unreadable(name, operation, 'takes an element other than null as input')
      return { does: 'put', element: input }
    }
    const unseen = outcome === 'unknown' || (output === null && semantics.nullRead === 'unknown')
    return unseen ? { does: 'take-unseen' } : { does: 'take', element: output }
  }

  return {
    initial,
    actionOf,
    base: {
      name,
      operations: [put, take],
      requires: [],
      semantics,
      partition: 'key',
      isObserver(_type, operation) {
        if (operation === undefined) return false
        const action = actionOf(operation)
        return action.does === 'nothing' || (action.does === 'take' && action.element === null)
      },
      describeOperation(operation) {
        if (operation.type !== take) return describeCall(operation)
        const call = describeCall({ ...operation, input: null })
        const foundNothing =
          operation.outcome === 'ok' && operation.output === null && semantics.nullRead === 'absent'
        return foundNothing ? call.replace(/null$/, 'empty') : call
      },
    },
  }
}
