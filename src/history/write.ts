import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { operationSchema, type Operation, type OperationField } from './operation.js'

const fields = Object.keys(operationSchema.shape) as OperationField[]

/** One operation as a line of a native history, newline included: every field, always in the same order. */
export function operationLine(operation: Operation): string {
  const members = fields.map((field) => `${JSON.stringify(field)}:${JSON.stringify(operation[field])}`)
  return `{${members.join(',')}}\n`
}

/**
 * Writes a native history: one operation a line, in the given order. Replaces what is in the file.
 *
 * Rejects with the error of the file system when it cannot be written.
 */
export async function writeHistory(file: string, operations: Iterable<Operation>): Promise<void> {
  await pipeline(Readable.from(linesOf(operations)), createWriteStream(file))
}

function* linesOf(operations: Iterable<Operation>): Generator<string> {
  for (const operation of operations) yield operationLine(operation)
}
