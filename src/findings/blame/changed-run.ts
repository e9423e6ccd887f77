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
 * `reproducible`: the unchanged run showed the violation again, so that its absence is worth something.
 */
export function changedRun(
  change: Change,
  run: Pick<RunRecord, 'name' | 'checks' | 'error'>,
  { reproducible }: { readonly reproducible: boolean },
): Experiment | null {
  if (run.error !== null) return null
  const failed = run.checks.find(({ valid }) => valid === false)
  const question = questions[change]
  const evidence = [run.name]
  if (failed !== undefined) {
    const outcome = `yes: ${failed.checker} found a violation`
    return change === 'without faults'
      ? { name: change, question, outcome, points: null, clears: [], evidence }
      : { name: change, question, outcome, points: 'SUT', clears: ['harness'], evidence }
  }
  const named = change === 'another generator' || change === 'another client'
  return {
    name: change,
    question,
    outcome: reproducible
      ? 'no violation was observed'
      : 'no violation was observed, but the unchanged run did not show it again either',
    // That other values and another order miss a violation is no wonder; that another client does is telling.
    points: named && reproducible ? 'harness' : null,
    clears: [],
    evidence,
  }
}
