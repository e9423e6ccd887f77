import { NemesisError } from '../errors.js'
import type { ModelOperation } from './model.js'

/** An operation of a history has an input or output that the model cannot read. */
export class ModelOperationError extends NemesisError {}

/** Says what `model` expected of an operation and what it got. */
export function unreadable(model: string, operation: ModelOperation, expected: string): ModelOperationError {
  const got = JSON.stringify({ input: operation.input, output: operation.output })
  return new ModelOperationError(
    'model-operation',
    `${model}: ${operation.type} ${expected}, got ${got.slice(0, 200)}`,
  )
}

/** Asks a model about an operation of a history; what the model cannot read is then told with the operation's id. */
export function attributed<T>(id: string | number, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw attributedTo(id, error)
  }
}

/** What a model threw when it was asked about an operation, with the operation's id where the model cannot read it. */
export function attributedTo(id: string | number, error: unknown): unknown {
  if (!(error instanceof ModelOperationError)) return error
  return new ModelOperationError(error.code, `operation ${JSON.stringify(id)}: ${error.message}`, {
    cause: error,
  })
}
