import { DeclarationError, NemesisError } from '../errors.js'
import { operationSchema, type OperationField } from '../history/operation.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { semanticsOf } from './semantics.js'

/** A model of the user's own: what the object would do if operations came one at a time. */
export interface ModelDefinition<State> {
  readonly name: string
  /** The operation types that the model understands. */
  readonly operations: readonly string[]
  /** Those of them that can never change a state. Default none, which is safe and slower. */
  readonly observers?: readonly string[]
  /** `key` (default): every key is an object of its own. `whole`: one object. */
  readonly partition?: 'key' | 'whole'
  readonly requires?: readonly OperationField[]
  readonly semantics?: Partial<Semantics>
  /** The initial state of one partition. */
  init(key: string | number | null): State
  /**
   * The state after the operation, or undefined when it cannot have had this result in this state. Must not change
   * the state that it is given. With outcome `unknown` any result is allowed and `output` is null.
   */
  step(state: State, operation: ModelOperation): State | undefined
  /** Equal states have equal identities. Default: the state as JSON. */
  identity?(state: State): string | number
  describeOperation?(operation: ModelOperation): string
  describeState?(state: State): string
}

/**
 * Makes a model of the user's own, checked where it is declared and where it is called.
 *
 * Throws DeclarationError naming what is missing or wrong; its functions throw NemesisError when the user's function
 * returns something that cannot be a state.
 */
export function model<State>(definition: ModelDefinition<State>): Model<State> {
  const mistake = mistakeIn(definition)
  if (mistake !== null) {
    const name = typeof definition?.name === 'string' ? definition.name : 'model'
    throw new DeclarationError('model', `model ${JSON.stringify(name)}: ${mistake}`, {
      hint: "model({ name: 'box', operations: ['put', 'get'], init: () => null, step: (state, operation) => … })",
    })
  }
  const { name } = definition
  const observers = new Set(definition.observers)
  const identity = definition.identity?.bind(definition) ?? ((state: State) => canonical(state as Json))

  return {
    name,
    operations: definition.operations,
    requires: definition.requires ?? [],
    semantics: semanticsOf(name, definition.semantics),
    partition: definition.partition ?? 'key',
    init: (key) => stateFrom(name, 'init', definition.init(key)),
    step(state, operation) {
      const next = definition.step(state, operation)
      return next === undefined ? undefined : stateFrom(name, `step (${operation.type})`, next)
    },
    identity(state) {
      const id = identity(state)
      if (typeof id === 'string' || typeof id === 'number') return id
      throw wrongAnswer(name, 'identity', 'a string or a number', id)
    },
    isObserver: (type) => observers.has(type),
    describeOperation: definition.describeOperation?.bind(definition) ?? describeCall,
    describeState: definition.describeState?.bind(definition) ?? ((state) => describeValue(state as Json)),
  }
}

function mistakeIn<State>(definition: ModelDefinition<State>): string | null {
  if (typeof definition !== 'object' || definition === null) return 'expected an object'
  const { name, operations, observers, partition, requires } = definition
  if (typeof name !== 'string' || name === '') return 'name must be a non-empty string'
  if (!isListOfNames(operations) || operations.length === 0) return 'operations must list the operation types'
  if (observers !== undefined && !isListOfNames(observers)) return 'observers must list operation types'
  const stranger = observers?.find((type) => !operations.includes(type))
  if (stranger !== undefined) return `observer ${JSON.stringify(stranger)} is not among its operations`
  if (partition !== undefined && partition !== 'key' && partition !== 'whole') {
    return `partition must be 'key' or 'whole', got ${JSON.stringify(partition)}`
  }
  const field = requires?.find((one) => !Object.hasOwn(operationSchema.shape, one))
  if (field !== undefined) return `requires names ${JSON.stringify(field)}, which is no field of an operation`
  for (const required of ['init', 'step'] as const) {
    if (typeof definition[required] !== 'function') return `${required} must be a function`
  }
  for (const optional of ['identity', 'describeOperation', 'describeState'] as const) {
    if (definition[optional] !== undefined && typeof definition[optional] !== 'function') {
      return `${optional} must be a function`
    }
  }
  return null
}

function isListOfNames(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '')
}

function stateFrom<State>(name: string, where: string, state: State): State {
  if (state === undefined) throw wrongAnswer(name, where, 'a state', state)
  if (state instanceof Promise) throw wrongAnswer(name, where, 'a state at once, not a promise', state)
  return state
}

function wrongAnswer(name: string, where: string, expected: string, got: unknown): NemesisError {
  return new NemesisError(
    'model-answer',
    `model ${JSON.stringify(name)}: ${where} must return ${expected}, got ${String(got)}`,
  )
}
