import { z } from 'zod'
import { DeclarationError } from '../../src/errors.js'

const tierSchema = z.enum(['smoke', 'hardening', 'release'])

const optionsSchema = z.strictObject({
  plan: z.string().min(1).optional(),
  sessions: z.string().min(1).optional(),
  tier: tierSchema.optional(),
  gate: z.enum(['default', 'strict']).optional(),
})

/** Options of the plugin, as the user writes them. */
export interface NemesisOptions {
  /** The plan document that the session executes, relative to the project root. */
  readonly plan?: string
  /** Where session directories are made, relative to the project root. Default `./test-sessions`. */
  readonly sessions?: string
  /** The budget that scenarios try to meet. The environment variable `NEMESIS_TIER` wins. Default `smoke`. */
  readonly tier?: 'smoke' | 'hardening' | 'release'
  /**
   * `default`: a violation fails, anything inconclusive is skipped with its reason.
   * `strict`: everything that is not a PASS fails.
   */
  readonly gate?: 'default' | 'strict'
}

export interface ResolvedOptions {
  readonly plan: string | null
  readonly sessions: string
  readonly tier: 'smoke' | 'hardening' | 'release'
  readonly gate: 'default' | 'strict'
}

/** Fills the defaults in. Throws DeclarationError that lists every wrong option, or a wrong `NEMESIS_TIER`. */
export function resolveOptions(options: unknown, environment: NodeJS.ProcessEnv): ResolvedOptions {
  const parsed = optionsSchema.safeParse(options ?? {})
  if (!parsed.success) {
    throw new DeclarationError(
      'options',
      `nemesis() in the Vitest config:\n${z.prettifyError(parsed.error)}`,
      {
        hint: "the options are plan, sessions, tier ('smoke', 'hardening', 'release') and gate ('default', 'strict')",
      },
    )
  }
  const { plan, sessions, tier, gate } = parsed.data
  return {
    plan: plan ?? null,
    sessions: sessions ?? './test-sessions',
    tier: tierOf(environment['NEMESIS_TIER']) ?? tier ?? 'smoke',
    gate: gate ?? 'default',
  }
}

function tierOf(text: string | undefined): ResolvedOptions['tier'] | undefined {
  if (text === undefined || text === '') return undefined
  const parsed = tierSchema.safeParse(text)
  if (parsed.success) return parsed.data
  throw new DeclarationError('options', `NEMESIS_TIER=${text}: there is no such tier`, {
    hint: 'set it to smoke, hardening or release, or unset it',
  })
}
