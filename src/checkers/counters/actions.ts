import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { attributed, unreadable } from '../../models/operation-error.js'

/** What an operation does to a counter and what it tells of it. */
export interface CounterAction {
  /** Added to the counter; 0 for a read. */
  readonly adds: number
  /** The value before it took effect, as its answer tells; null when it tells nothing. */
  readonly before: number | null
}

/** The sign of what an operation adds, 0 for reads, and which value it answers with. */
const roles: Readonly<
  Record<string, { readonly sign: -1 | 0 | 1; readonly answers: 'before' | 'after' | null }>
> = {
  read: { sign: 0, answers: 'before' },
  get: { sign: 0, answers: 'before' },
  add: { sign: 1, answers: null },
  inc: { sign: 1, answers: null },
  dec: { sign: -1, answers: null },
  'add-and-get': { sign: 1, answers: 'after' },
  'get-and-add': { sign: 1, answers: 'before' },
}

/**
 * What an operation means, as the counter model reads it: amounts are the input, 1 when it is null. Null for operations
 * that failed, and of types that are none of a counter. `whenNull` is the value that a read of null saw, null when it
 * tells nothing. Throws ModelOperationError for what is no whole number.
 */
export function actionOf(operation: Operation, whenNull: number | null): CounterAction | null {
  const { op_type: type, input, output } = operation
  const role = Object.hasOwn(roles, type) ? roles[type] : undefined
  const outcome = outcomeOf(operation)
  if (role === undefined || outcome === 'failed') return null
  const adds = role.sign === 0 ? 0 : role.sign * integerOf(operation, input ?? 1, 'takes a whole number')
  if (role.answers === null || outcome === 'unknown') return { adds, before: null }
  if (output === null) return { adds, before: role.sign === 0 ? whenNull : null }
  const answer = integerOf(operation, valueIn(output), 'answers a whole number')
  return { adds, before: role.answers === 'after' ? answer - adds : answer }
}

/** The number in an answer, which may be an object with it as its `value`. */
export function valueIn(answer: Json): Json {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return answer['value'] ?? null
}

function integerOf(operation: Operation, value: Json, expected: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  return attributed(operation.op_id, () => {
    const { op_type: type, key, input, output } = operation
    throw unreadable('counter', { type, key, input, output, outcome: 'ok' }, expected)
  })
}
