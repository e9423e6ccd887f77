import type { Pacer } from '../pacer.js'
import { recheck, type Telling } from './certificate.js'
import { decide } from './choose.js'
import type { Part, Violation } from './part.js'

/** What the exact checkers made of a history's parts. */
export interface DecidedParts {
  readonly valid: number
  readonly violations: readonly { readonly part: Part; readonly violation: Violation }[]
  /** Left to the search, with the reason. */
  readonly undecided: readonly { readonly part: Part; readonly reason: string }[]
  /** What ran out before all parts were looked at, in words. */
  readonly spent: string | null
}

/**
 * Lets the exact checkers decide the parts one by one. A violation counts only when the few operations that show it are
 * one by themselves, as the plain search sees it; where these turn out to be in order the search has to decide.
 */
export async function decideParts(
  parts: readonly Part[],
  telling: Telling,
  onDecided: (decided: number) => void,
): Promise<DecidedParts> {
  const { pacer }: { pacer: Pacer } = telling
  const violations: { part: Part; violation: Violation }[] = []
  const undecided: { part: Part; reason: string }[] = []
  let valid = 0
  for (const part of parts) {
    if (pacer.spent !== null) break
    const { decision, checker } = decide(part)
    if (decision.valid === true) valid += 1
    else if (decision.valid === 'unknown') undecided.push({ part, reason: decision.reason })
    else if ((await recheck(part, decision.violation, telling)) === 'refuted') {
      undecided.push({ part, reason: `the violation that ${checker} found does not stand by itself` })
    } else violations.push({ part, violation: decision.violation })
    onDecided(valid + violations.length)
    await pacer.breathe()
  }
  const seen = valid + violations.length + undecided.length
  return { valid, violations, undecided, spent: seen < parts.length ? pacer.spent : null }
}
