import type { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { problemsOf } from '../problems.js'

/** What a checker's options must look like, and what to say when they do not. */
interface OptionRules<Schema extends z.ZodType> {
  /** The name of the checker, which is the code of the error. */
  readonly checker: string
  /** The function that the options are given to. */
  readonly factory: string
  readonly schema: Schema
  /** A correct call. */
  readonly example: string
}

/** The options as the schema reads them. Throws DeclarationError that names the one which is wrong. */
export function checkedOptions<Schema extends z.ZodType>(
  options: unknown,
  { checker, factory, schema, example }: OptionRules<Schema>,
): z.output<Schema> {
  const parsed = schema.safeParse(options)
  if (parsed.success) return parsed.data
  throw new DeclarationError(checker, `${factory}(): ${problemsOf(parsed.error)}`, { hint: example })
}
