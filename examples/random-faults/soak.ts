import { nemesis, type Budget, type BudgetTier, type FaultPlan } from 'vitest-nemesis'

type Envelope = Omit<Parameters<typeof nemesis.random>[0], 'quiet' | 'for'>

/**
 * Random faults by the seed of the run, in the envelope of all three systems: at least two seconds without a fault once the
 * system serves again, and each fault for one to four seconds once it has landed.
 */
export function randomFaults(envelope: Envelope): FaultPlan {
  return nemesis.random({ ...envelope, quiet: '2s', for: ['1s', '4s'] })
}

/** Half a minute that shows that it works; at the hardening tier (`npm run soak`) ten minutes, or as long as `SOAK` says. */
export function soakBudget(nodes: number): Budget {
  const length = (process.env['SOAK'] ?? '10m') as BudgetTier['duration']
  return {
    smoke: { duration: '30s', nodes, faults: 1, seeds: 1 },
    hardening: { duration: length, nodes, faults: 1, seeds: 1 },
    release: {
      notProvided: 'ten minutes of one seed are no release test',
      revisitWhen: 'it runs each night',
    },
  }
}
