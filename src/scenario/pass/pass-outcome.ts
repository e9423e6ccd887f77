import type { RunRecord } from '../../session/record.js'

/** What one pass showed, in a few words: `no violation, 2 of 2 faults landed, 940 operations`. */
export function outcomeOf({ checks, error, faults, load }: RunRecord): string {
  if (error !== null) return `ended in ${error.phase}: ${error.message}`
  const landed = faults.filter((fault) => fault.landed).length
  return [
    answerOf(checks),
    ...(faults.length === 0 ? [] : [`${landed} of ${faults.length} faults landed`]),
    ...(load === null ? [] : [`${load.invoked} operations`]),
  ].join(', ')
}

function answerOf(checks: RunRecord['checks']): string {
  const by = (answer: false | 'unknown') =>
    checks
      .filter(({ valid }) => valid === answer)
      .map(({ checker }) => checker)
      .join(', ')
  if (by(false) !== '') return `violation (${by(false)})`
  return by('unknown') === '' ? 'no violation' : `undecided (${by('unknown')})`
}
