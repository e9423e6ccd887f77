import { DeclarationError } from '../../src/errors.js'

// Checked by hand: every run of Vitest loads this, also one without a scenario, and a schema library costs more time
// than a small suite has.

const tiers = ['smoke', 'hardening', 'release'] as const
const gates = ['default', 'strict'] as const

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

/** What each option must be, in words, and how to tell. */
const checks: Record<keyof NemesisOptions, { readonly expected: string; fits(value: unknown): boolean }> = {
  plan: { expected: 'a path', fits: isPath },
  sessions: { expected: 'a path', fits: isPath },
  tier: { expected: `one of ${tiers.join(', ')}`, fits: (value) => isOneOf(tiers, value) },
  gate: { expected: `one of ${gates.join(', ')}`, fits: (value) => isOneOf(gates, value) },
}

/** Fills the defaults in. Throws DeclarationError that lists every wrong option, or a wrong `NEMESIS_TIER`. */
export function resolveOptions(options: unknown, environment: NodeJS.ProcessEnv): ResolvedOptions {
  const problems = problemsOf(options ?? {})
  if (problems.length > 0) {
    throw new DeclarationError('options', `nemesis() in the Vitest config: ${problems.join('; ')}`, {
      hint: `the options are ${Object.keys(checks).join(', ')}; all may be left out`,
    })
  }
  const { plan, sessions, tier, gate } = (options ?? {}) as NemesisOptions
  return {
    plan: plan ?? null,
    sessions: sessions ?? './test-sessions',
    tier: tierOf(environment['NEMESIS_TIER']) ?? tier ?? 'smoke',
    gate: gate ?? 'default',
  }
}

function problemsOf(options: unknown): string[] {
  if (typeof options !== 'object' || Array.isArray(options)) return ['its argument is not an object']
  return Object.entries(options as object).flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof NemesisOptions] : undefined
    if (check === undefined) return [`there is no option \`${name}\``]
    if (value === undefined || check.fits(value)) return []
    return [`\`${name}\` is ${JSON.stringify(value)}, expected ${check.expected}`]
  })
}

function tierOf(text: string | undefined): ResolvedOptions['tier'] | undefined {
  if (text === undefined || text === '') return undefined
  if (isOneOf(tiers, text)) return text
  throw new DeclarationError('options', `NEMESIS_TIER=${text}: there is no such tier`, {
    hint: 'set it to smoke, hardening or release, or unset it',
  })
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isOneOf<Value>(values: readonly Value[], value: unknown): value is Value {
  return values.includes(value as Value)
}
