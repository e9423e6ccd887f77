import type { Pacer } from '../../pacer.js'
import { never, type Decision, type Part, type Violation } from '../part.js'
import { cutPart } from './cut-part.js'

/**
 * The return, as a rank, at which a part stops being linearizable, by a checker that decides parts; null when it cannot
 * decide some prefix, or time runs out.
 *
 * The last return of a violation is the first guess, and in most cases the answer.
 */
export async function breakOfPart(
  part: Part,
  violation: Violation,
  { decide, pacer }: { decide: (part: Part) => Decision; pacer: Pacer },
): Promise<number | null> {
  /** Everything up to here is linearizable. */
  let low = -1
  /** What is known up to here is not. */
  let high = part.events - 1
  let guess = lastReturn(part, violation)
  while (low + 1 < high) {
    if (pacer.spent !== null) return null
    const cut = cutPart(part, guess)
    const decision = decide(cut)
    await pacer.breathe()
    if (decision.valid === 'unknown') return null
    if (decision.valid) low = Math.max(low, guess)
    else {
      const last = lastReturn(cut, decision.violation)
      const source = cut.source[cut.complete.indexOf(last)] as number
      high = Math.min(guess, part.complete[part.source.indexOf(source)] as number)
    }
    guess = decision.valid ? (low + high) >>> 1 : high - 1
    if (guess <= low) break
  }
  return high
}

function lastReturn({ complete, events }: Part, { operations }: Violation): number {
  let last = -1
  for (const index of operations) {
    const end = complete[index] as number
    if (end !== never && end > last) last = end
  }
  return last < 0 ? events - 1 : last
}
