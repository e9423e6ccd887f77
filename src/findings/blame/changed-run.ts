import type { RunRecord } from '../../session/record.js'
import type { Experiment } from '../../session/classification-record.js'

/** What was changed in a run, to see whether the violation goes away with it. */
export type Change = 'without faults' | 'another workload' | 'another generator' | 'another client'

const questions: Readonly<Record<Change, string>> = {
  'without faults': 'Does the violation come without the faults as well?',
  'another workload':
    'Does the violation survive the same operations in another order, with other values, keys and clients?',
  'another generator': 'Does the violation survive the other generator that the scenario names?',
  'another client': 'Does the violation survive the other client that the scenario names?',
}

/**
 * What a run that was changed on purpose says. Null when it did not go to its end.
 *
 * `by`: the checker that found the violation, whose answer counts: what others find is another matter, and a run of which
 * it judged nothing shows nothing. `reproducible`: the unchanged run showed the violation again, so that its absence is
 * worth something.
 */
export function changedRun(
  change: Change,
  run: Pick<RunRecord, 'name' | 'checks' | 'load' | 'error'>,
  { by, reproducible }: { readonly by: string; readonly reproducible: boolean },
): Experiment | null {
  if (run.error !== null) return null
  const about = { name: change, question: questions[change], evidence: [run.name] }
  const answer = answerIn(run, by)
  if (answer === 'violated') {
    const outcome = `yes: ${by} found a violation`
    return change === 'without faults'
      ? { ...about, outcome, points: null, clears: [] }
      : { ...about, outcome, points: 'SUT', clears: ['harness'] }
  }
  if (answer === 'open') {
    return { ...about, outcome: `not decided: ${by} judged nothing of it`, points: null, clears: [] }
  }
  const named = change === 'another generator' || change === 'another client'
  return {
    ...about,
    outcome: reproducible
      ? 'no violation was observed'
      : 'no violation was observed, but the unchanged run did not show it again either',
    // That other values and another order miss a violation is no wonder; that another client does is telling.
    points: named && reproducible ? 'harness' : null,
    clears: [],
  }
}

/** A body's own assertion has a result only when it fails: without one, another must show that the run was judged. */
function answerIn(
  { checks, load }: Pick<RunRecord, 'checks' | 'load'>,
  by: string,
): 'violated' | 'clean' | 'open' {
  const own = checks.filter(({ checker }) => checker === by)
  if (own.some(({ valid }) => valid === false)) return 'violated'
  const judging = own.length > 0 ? own : checks
  const judged = judging.some(({ valid, operations }) => valid === true && operations > 0)
  return judged && load?.ok !== 0 ? 'clean' : 'open'
}

/** Whether a violation needs the faults, by the runs without them; null when that was not tried or is not decided. */
export function needsFaultBy(experiments: readonly Experiment[]): boolean | null {
  const tried = experiments.find(({ name }) => name === ('without faults' satisfies Change))
  if (tried === undefined || tried.outcome.startsWith('not decided')) return null
  return !tried.outcome.startsWith('yes')
}
