import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { messageOf, SessionError } from '../errors.js'

/** Reads and validates a file of a session. Throws SessionError that names the file and the field that is wrong. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new SessionError('unreadable', `${file}: ${messageOf(error)}`, {
      hint: 'the session is not complete or not a session; run the scenario again',
      cause: error,
    })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new SessionError('invalid-record', `${file}:\n${z.prettifyError(parsed.error)}`, {
    hint: 'it was written by another version or by hand; run the scenario again',
  })
}
