import { binomialInterval, intervalInWords } from './binomial-interval.js'
import type { VerdictFacts } from './verdict.js'

/** How often a violation was seen again, with the exact 95% interval of how often runs with its seed show it. */
export function reproducedInWords(violation: NonNullable<VerdictFacts['violation']>): string {
  const { reproduced } = violation
  const reruns = Math.max(violation.reruns, reproduced)
  if (reruns === 0) return 'It was not run again.'
  const again = `${reruns} re-run${reruns === 1 ? '' : 's'} with the same seed`
  const seen = reproduced === 0 ? `Not seen again in ${again}` : `Seen again in ${reproduced} of ${again}`
  const rate = intervalInWords(binomialInterval(reproduced, reruns))
  return `${seen}: ${rate} of such runs show it (95%, exact binomial).`
}
