import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import type { Json } from '../../json.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import { versionSchema, type SessionOptions } from './options.js'
import { problemsOf } from '../../problems.js'

/** How stale a read may be: by time or by the number of newer versions. */
export type StalenessBound =
  | {
      /** A read may miss writes that were acknowledged less than this before it began. */
      readonly within: Duration
    }
  | {
      /** A read may miss this many acknowledged newer versions. */
      readonly versions: number
    }

export type StalenessOptions = StalenessBound & SessionOptions

const optionsSchema = z.union([
  z.strictObject({ within: z.union([z.number(), z.string()]), version: versionSchema }),
  z.strictObject({ versions: z.int().nonnegative(), version: versionSchema }),
])

/** The bound in nanoseconds or versions. Throws DeclarationError that says which option is wrong. */
export function readStalenessOptions(options: StalenessOptions): { withinNs: number } | { versions: number } {
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) {
    throw new DeclarationError('bounded-staleness', `boundedStaleness(): ${problemsOf(parsed.error)}`, {
      hint: "boundedStaleness({ within: '500ms' }) or boundedStaleness({ versions: 3 })",
    })
  }
  if ('versions' in options) return { versions: options.versions }
  return { withinNs: milliseconds(options.within, 'boundedStaleness.within') * 1e6 }
}

/** The options from the parameters of an index file. Throws DeclarationError that says which one is wrong. */
export function stalenessOptionsOf(params: Readonly<Record<string, Json>>): StalenessOptions {
  const { within, versions } = params
  const given = {
    ...(within === undefined ? {} : { within }),
    ...(versions === undefined ? {} : { versions }),
  }
  readStalenessOptions(given as StalenessOptions)
  return given as StalenessOptions
}
