import { EnvironmentError, FaultError, messageOf, type NemesisError } from '../../../errors.js'
import { CommandFailed } from '../exec.js'
import type { NamespaceRule } from './context.js'

/** One way to put a rule in. */
export interface Way {
  /** For people: what it needs, such as `nft with numgen`. */
  readonly needs: string
  put(): Promise<NamespaceRule>
}

/** Errors by which a way says that it cannot be gone here, or not now. */
const notHere = new Set(['delayer-start', 'shaped'])

/**
 * Puts a rule in by the first way that works here; each is tried by going it, as only that shows what the kernel has.
 * Throws EnvironmentError that names what each would need when none does, and passes on every other failure.
 */
export async function firstThatWorks(what: string, ways: readonly [Way, ...Way[]]): Promise<NamespaceRule> {
  const failures: { readonly way: Way; readonly error: NemesisError }[] = []
  for (const way of ways) {
    try {
      return await way.put()
    } catch (error) {
      if (!isNotHere(error)) throw error
      failures.push({ way, error })
    }
  }
  const reasons = failures.map(({ way, error }) => `${way.needs}: ${messageOf(error).split('\n')[0]}`)
  const hints = failures.flatMap(({ error }) => (error instanceof EnvironmentError ? [error.hint ?? ''] : []))
  throw new EnvironmentError(
    ways.map(({ needs }) => needs).join(', or '),
    `${what}: ${reasons.join('; ')}`,
    hints.find((hint) => hint !== '') ??
      'use a kernel that has one of these (`npx nemesis doctor` tries them)',
  )
}

function isNotHere(error: unknown): error is NemesisError {
  return (
    error instanceof EnvironmentError ||
    error instanceof CommandFailed ||
    (error instanceof FaultError && notHere.has(error.code))
  )
}
