import type { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { problemsOf } from '../problems.js'

/** What is declared, as the schema has it. Throws DeclarationError that begins with `where` and names every wrong field. */
export function parse<T>(where: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new DeclarationError('nemesis', `${where}: ${problemsOf(parsed.error)}`)
}
