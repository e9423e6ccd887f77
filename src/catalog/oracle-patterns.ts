import type { OraclePattern } from './oracle-pattern.js'

/** The fourteen, in their order. */
export const oraclePatterns: readonly OraclePattern[] = [
  {
    number: 1,
    title: 'Order of a history',
    decides:
      'searches for an order of the operations that a sequential model allows and that respects real time, sessions or transactions',
    needs: 'a model; every operation with its times and its outcome, of which some may be unknown',
    misses: 'what no client asked for; a search that is cut short decides nothing',
  },
  {
    number: 2,
    title: 'Properties that are asserted',
    decides: 'holds a rule against each operation or state that it is about, and counts how often it did',
    needs: 'the count: a rule that was never evaluated proves nothing',
    misses: 'whatever the rule does not say',
  },
  {
    number: 3,
    title: 'Equivalence of a replay',
    decides: 'rebuilds the state from the log and compares it with the live one',
    needs: 'a way to replay, and a state at rest to compare with',
    misses: 'what log and state have lost together',
  },
  {
    number: 4,
    title: 'A threshold set beforehand',
    decides:
      'compares percentiles, throughput or the share of successes with numbers that were set before the run',
    needs: 'enough operations for the percentile, and an open loop',
    misses: 'wrong answers that come in time',
  },
  {
    number: 5,
    title: 'Comparison with a baseline',
    decides: 'tells by a bootstrap interval whether a metric of repeated runs is worse than it was',
    needs: 'repeated runs of both, by one harness on one machine',
    misses: 'a baseline that was bad already',
  },
  {
    number: 6,
    title: 'Difference from a reference',
    decides: 'gives the same operations to a reference and compares the answers',
    needs: 'a reference that is simpler than the system, and a rule for what may differ',
    misses: 'errors that both have',
  },
  {
    number: 7,
    title: 'Guarantees of a session',
    decides: 'looks in each session for reads and writes that forget what the session did before',
    needs: 'versions in the answers, and one process for a session',
    misses: 'anything between sessions',
  },
  {
    number: 8,
    title: 'Reads that do not go back',
    decides: 'compares the versions of reads in the order that the system itself gives to versions',
    needs: 'that order: revisions, offsets, terms',
    misses: 'reads that stand still for ever, unless a bound is set',
  },
  {
    number: 9,
    title: 'Order of delivery',
    decides:
      'compares what was received with a prefix of what was sent, within a declared window of reordering',
    needs: 'unique elements, and who sent and received them',
    misses: 'elements that are lost at the end',
  },
  {
    number: 10,
    title: 'No acknowledged write is lost',
    decides:
      'looks at the end for everything that was acknowledged; what is of unknown outcome may be there or not',
    needs: 'a final read that is complete, after recovery',
    misses: 'losses that were repaired before the final read',
  },
  {
    number: 11,
    title: 'Effects by business id',
    decides: 'counts the effects that each business id has had',
    needs: 'an id that the business gives; the id of the operation itself would prove nothing',
    misses: 'effects that nobody records',
  },
  {
    number: 12,
    title: 'Invariant over the final state',
    decides:
      'evaluates a rule on the state once nothing is in flight: totals, bounds, references; `invariant()` with `collect` is one, too',
    needs: 'a definition of rest: no operation in flight, no background work, replicas caught up',
    misses: 'violations that came and went before',
  },
  {
    number: 13,
    title: 'Reconciliation of replicas',
    decides: 'compares the dumps of all replicas at rest',
    needs: 'a dump of each node, read from that node',
    misses: 'replicas that are equal and wrong',
  },
  {
    number: 14,
    title: 'Fairness by group',
    decides: 'compares the worst group with all: latency, throughput, errors, spread between repetitions',
    needs: 'the group of each operation, and enough of each group',
    misses: 'groups that the workload does not have',
  },
]
