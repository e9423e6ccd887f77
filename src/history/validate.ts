import { z } from 'zod'
import { outcomeOf, operationSchema, type Operation } from './operation.js'
import type { HistoryProblem } from './problem.js'

// What JSON.parse returned is JSON already, so the two free-form fields only have to be there. Checking them
// again value by value would cost more than everything else about reading a line.
const present = z.custom<unknown>((value) => value !== undefined, 'is missing')
const parsedOperationSchema = operationSchema.extend({ input: present, output: present })

/**
 * Judges one parsed line of a native history by itself: fields, types, and that the outcome is told in one way.
 *
 * `value` must come from `JSON.parse`. Returns the operation, or the first problem.
 */
export function validateOperation(value: unknown): { operation: Operation } | { problem: HistoryProblem } {
  const parsed = parsedOperationSchema.safeParse(value)
  if (!parsed.success) return { problem: shapeProblem(value, parsed.error.issues[0]) }
  const operation = parsed.data as Operation
  const problem = timeProblem(operation) ?? outcomeProblem(operation)
  return problem === null ? { operation } : { problem }
}

/**
 * Judges a history as a whole: every id once, and no process with two operations in flight.
 *
 * A process may go on after an operation of unknown outcome; the recorder retires it, other tools may not.
 * Returns the first problem with the index (in `operations`) at which it shows, or null.
 */
export function validateHistory(
  operations: readonly Operation[],
): { readonly index: number; readonly problem: HistoryProblem } | null {
  return duplicateId(operations) ?? overlap(operations)
}

function shapeProblem(value: unknown, issue: z.core.$ZodIssue | undefined): HistoryProblem {
  const fields = Object.keys(operationSchema.shape).join(', ')
  if (issue === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: 'wrong-type', message: `expected one operation as a JSON object, found ${kindOf(value)}` }
  }
  if (issue.code === 'unrecognized_keys') {
    return {
      code: 'unknown-field',
      message: `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; an operation has ${fields}`,
    }
  }
  const field = String(issue.path[0])
  const found = (value as Record<string, unknown>)[field]
  if (found === undefined) {
    return {
      code: 'missing-field',
      message: `field "${field}" is missing; an unused field is null, never left out`,
    }
  }
  return { code: 'wrong-type', message: `field "${field}" is ${kindOf(found)}; expected ${expected(field)}` }
}

function expected(field: string): string {
  switch (field) {
    case 'op_id':
    case 'process_id':
      return 'an integer or a string'
    case 'invoke_ts':
      return "integer nanoseconds from the run's start"
    case 'complete_ts':
      return "integer nanoseconds from the run's start, or null"
    case 'op_type':
      return 'a non-empty string'
    case 'key':
      return 'a string, a number or null'
    case 'timeout_marker':
      return 'true or false'
    default:
      return 'a string or null'
  }
}

/** `the number 1.5`, `the string "x"`, `an array`: a value in an error message, kept short. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return `the ${typeof value} ${text.length > 40 ? `${text.slice(0, 39)}…` : text}`
}

function timeProblem(operation: Operation): HistoryProblem | null {
  const { op_id, invoke_ts, complete_ts } = operation
  if (complete_ts === null || complete_ts >= invoke_ts) return null
  return {
    code: 'completes-before-invoked',
    message: `operation ${JSON.stringify(op_id)} completes at ${complete_ts}, before it is invoked at ${invoke_ts}`,
  }
}

function outcomeProblem(operation: Operation): HistoryProblem | null {
  const id = JSON.stringify(operation.op_id)
  const unknown = outcomeOf(operation) === 'unknown'
  if (unknown && !operation.timeout_marker) {
    return inconsistent(
      `operation ${id} has no complete_ts, so its outcome is unknown: timeout_marker must be true`,
    )
  }
  if (unknown && operation.output !== null) {
    return inconsistent(`operation ${id} has no complete_ts, so its outcome is unknown: output must be null`)
  }
  if (!unknown && operation.timeout_marker) {
    return inconsistent(
      `operation ${id} is marked timeout_marker, so its outcome is unknown: complete_ts must be null`,
    )
  }
  return null
}

function inconsistent(message: string): HistoryProblem {
  return { code: 'inconsistent-outcome', message }
}

function duplicateId(operations: readonly Operation[]) {
  const seen = new Set<string | number>()
  for (const [index, { op_id }] of operations.entries()) {
    if (!seen.has(op_id)) {
      seen.add(op_id)
      continue
    }
    const message = `operation id ${JSON.stringify(op_id)} is used twice: a recorder error`
    const hint =
      'a retry is a new operation with a new id; two answers to one operation mean that the recorder is wrong'
    return { index, problem: { code: 'duplicate-id', message, hint } satisfies HistoryProblem }
  }
  return null
}

function overlap(operations: readonly Operation[]) {
  const order = operations.map((_, index) => index)
  order.sort((a, b) => operations[a]!.invoke_ts - operations[b]!.invoke_ts || a - b)
  const last = new Map<string | number, Operation>()
  for (const index of order) {
    const operation = operations[index]!
    const before = last.get(operation.process_id)
    if (before !== undefined && before.complete_ts !== null && before.complete_ts > operation.invoke_ts) {
      const [process, id, first] = [operation.process_id, operation.op_id, before.op_id].map((it) =>
        JSON.stringify(it),
      )
      const message = `process ${process} invokes operation ${id} while its operation ${first} is still in flight`
      return { index, problem: { code: 'invoked-twice', message } satisfies HistoryProblem }
    }
    last.set(operation.process_id, operation)
  }
  return null
}
