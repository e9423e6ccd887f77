import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import type { Operation } from '../../history/operation.js'
import type { Version } from './version.js'
import { problemsOf } from '../../problems.js'

/** Options of the checkers of session guarantees. */
export interface SessionOptions {
  /**
   * The version that an answered operation shows: of the value that it read, or of the one that it wrote; null when it
   * shows none. Versions of one key are compared as numbers where they are numbers or strings of digits, else as text.
   * Default: the field `version` of an output `{ value, version }`.
   */
  readonly version?: (operation: Operation) => Version | null
}

export const versionSchema = z
  .custom<(operation: Operation) => Version | null>((value) => typeof value === 'function', {
    error: 'expected a function that takes an operation and returns its version or null',
  })
  .optional()

const sessionSchema = z.strictObject({ version: versionSchema })

/** The options of the factory. Throws DeclarationError that says which one is wrong. */
export function readSessionOptions(factory: string, given: SessionOptions): SessionOptions {
  const parsed = sessionSchema.safeParse(given)
  if (parsed.success) return given
  throw new DeclarationError('session-guarantees', `${factory}(): ${problemsOf(parsed.error)}`, {
    hint: `${factory}({ version: ({ output }) => output.revision }), or ${factory}() for outputs { value, version }`,
  })
}
