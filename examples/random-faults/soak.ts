import { nemesis, type Budget, type BudgetTier, type FaultPlan } from 'vitest-nemesis'

type Envelope = Omit<Parameters<typeof nemesis.random>[0], 'quiet' | 'for'>

/**
 * Random faults by the seed of the run, in the envelope of all three systems: at least two seconds without a fault once the
 * system serves again, and each fault for one to four seconds once it has landed.
 */
export function randomFaults(envelope: Envelope): FaultPlan {
  return nemesis.random({ ...envelope, quiet: '2s', for: ['1s', '4s'] })
}

/** Half a minute shows that it works; `npm run soak` takes ten minutes, or as long as `SOAK` says. */
export function soakBudget(nodes: number): Budget {
  const duration = (process.env['SOAK'] ?? '30s') as BudgetTier['duration']
  return { smoke: { duration, nodes, faults: 1, seeds: 1 } }
}
