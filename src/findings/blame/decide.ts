import {
  parties,
  type Classification,
  type Experiment,
  type Party,
} from '../../session/classification-record.js'

/** In this order: a checker that is wrong explains everything, and a harness that is wrong most. */
const precedence: readonly Party[] = ['checker', 'harness', 'environment']

/** All who must be cleared before the system itself is to blame. */
const others = parties.filter((party) => party !== 'SUT')

/**
 * Whose a violation is, by what the experiments say.
 *
 * The first of checker, harness and environment at which one points is to blame. The system is only when each of them
 * was cleared and the violation survived an experiment that points at it. Anything less is unknown, with what is pending.
 */
export function blameOf(experiments: readonly Experiment[]): Pick<Classification, 'blame' | 'reason'> {
  for (const party of precedence) {
    const pointing = experiments.filter(({ points }) => points === party)
    if (pointing.length > 0) return { blame: party, reason: told(pointing) }
  }
  const open = others.filter((party) => !experiments.some(({ clears }) => clears.includes(party)))
  const pointing = experiments.filter(({ points }) => points === 'SUT')
  if (open.length === 0 && pointing.length > 0) {
    return { blame: 'SUT', reason: `${told(pointing)}; cleared: ${others.join(', ')}` }
  }
  return { blame: 'unknown', reason: `pending ${pending(open)}` }
}

function told(experiments: readonly Experiment[]): string {
  return experiments.map(({ name, outcome }) => `${name}: ${outcome}`).join('; ')
}

const ways: Readonly<Record<Exclude<Party, 'SUT'>, string>> = {
  checker: 'a check of a history that is known to be good',
  harness: 'a re-run with another generator or client (`blame: { generator, client }` of the scenario)',
  environment: 'a re-run on another host',
}

function pending(open: readonly Party[]): string {
  if (open.length === 0) return 'an experiment that the violation survives'
  return open.map((party) => ways[party as Exclude<Party, 'SUT'>]).join('; ')
}
