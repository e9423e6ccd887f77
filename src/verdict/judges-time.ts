import type { ScenarioRecord } from '../session/record.js'

/** Objectives, comparisons with a baseline, and fairness compare durations. */
const timingPatterns = [4, 5, 14]
/** So do checkers of other patterns that are told a time. */
const timingCheckers = ['lease-exclusion', 'bounded-staleness']

/** Whether a checker judges how long something took, and not only what was answered and in which order. */
export function judgesTime({
  name,
  pattern,
}: Pick<ScenarioRecord['checkers'][number], 'name' | 'pattern'>): boolean {
  return timingPatterns.includes(pattern) || timingCheckers.includes(name)
}
