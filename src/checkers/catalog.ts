import type { Json } from '../json.js'
import type { Checker } from './checker.js'
import { counterBounds } from './counters/counter-bounds.js'
import { differential } from './differential/differential.js'
import { recordList, sameRecords } from './differential/reference.js'
import { invariant } from './invariant.js'
import { oneLeaderPerTerm } from './leaders/one-leader-per-term.js'
import { atLeastOnce } from './ledgers/at-least-once.js'
import { bankTotal } from './ledgers/bank-total.js'
import { exactlyOnce } from './ledgers/exactly-once.js'
import { longFork } from './ledgers/long-fork.js'
import { fencingTokens } from './locks/fencing-tokens.js'
import { leaseExclusion, type LeaseExclusionOptions } from './locks/lease-exclusion.js'
import { mutualExclusion } from './locks/mutual-exclusion.js'
import { linearizable } from './linearizability/linearizable.js'
import { logOffsets } from './logs/log-offsets.js'
import { noLostAck } from './no-lost-ack/no-lost-ack.js'
import { availability } from './objectives/availability.js'
import { baseline } from './objectives/baseline.js'
import { fairness } from './objectives/fairness.js'
import { fairnessOptionsOf, sloOptionsOf } from './objectives/params.js'
import { slo } from './objectives/slo.js'
import { reconciliation } from './replicas/reconciliation.js'
import { replayEquivalence } from './replicas/replay-equivalence.js'
import { noDuplicates } from './queues/no-duplicates.js'
import { noUnexpected } from './queues/no-unexpected.js'
import { prefixOrder } from './queues/prefix-order/prefix-order.js'
import { totalQueue } from './queues/total-queue.js'
import { sequential } from './sequential/sequential.js'
import { boundedStaleness } from './sessions/bounded-staleness.js'
import {
  monotonicReads,
  monotonicWrites,
  readYourWrites,
  sessionConsistency,
  writesFollowReads,
} from './sessions/session-guarantees.js'
import { stalenessOptionsOf } from './sessions/staleness-options.js'
import { finalSet } from './sets/final-set.js'
import { setFull } from './sets/set-full.js'
import { uniqueIds } from './unique-ids/unique-ids.js'

/** What an index or a command line says of a history for its checkers. */
export interface NamedOptions {
  /** See `SequentialOptions`. */
  readonly sessionOrder?: boolean
  /** Parameters of the checker by the names of its options, such as thresholds. */
  readonly params?: Readonly<Record<string, Json>>
}

/** A checker that ships with the product. */
export interface CatalogEntry {
  /** The function that makes it. */
  readonly factory: string
  /** One of its kind, for its name, pattern, needs and scope. */
  readonly example: () => Checker
  /**
   * Makes one that judges a recorded history alone, with nothing read from a live system; left out when there is none.
   * Throws DeclarationError when the parameters are wrong.
   */
  readonly recorded?: (options: NamedOptions) => Checker
}

/**
 * The parameters of these names, for a checker that reads them as its options: an index gives one list of them for all
 * checkers of a history. The checker itself says which are wrong.
 */
function only(params: NamedOptions['params'], names: readonly string[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([name]) => names.includes(name)))
}

const unread = async () => null

/** Every checker, in the order of the documentation. */
export const catalog: readonly CatalogEntry[] = [
  { factory: 'linearizable', example: linearizable, recorded: () => linearizable() },
  { factory: 'sequential', example: sequential, recorded: (options) => sequential(options) },
  {
    factory: 'noLostAck',
    example: () => noLostAck({ final: unread }),
    recorded: ({ params }) => noLostAck(only(params, ['drained', 'writes', 'removes'])),
  },
  {
    factory: 'totalQueue',
    example: totalQueue,
    recorded: ({ params }) => totalQueue(only(params, ['drained', 'duplicates'])),
  },
  { factory: 'noDuplicates', example: noDuplicates, recorded: () => noDuplicates() },
  { factory: 'noUnexpected', example: noUnexpected, recorded: () => noUnexpected() },
  {
    factory: 'prefixOrder',
    example: prefixOrder,
    recorded: ({ params }) => prefixOrder(only(params, ['window', 'per'])),
  },
  {
    factory: 'logOffsets',
    example: logOffsets,
    recorded: ({ params }) => logOffsets(only(params, ['gaps'])),
  },
  { factory: 'finalSet', example: finalSet, recorded: () => finalSet() },
  { factory: 'setFull', example: setFull, recorded: ({ params }) => setFull(only(params, ['linearizable'])) },
  {
    factory: 'uniqueIds',
    example: uniqueIds,
    recorded: ({ params }) => uniqueIds(only(params, ['type', 'within'])),
  },
  {
    factory: 'counterBounds',
    example: counterBounds,
    recorded: ({ params }) => counterBounds(only(params, ['reads'])),
  },
  { factory: 'sessionConsistency', example: sessionConsistency, recorded: () => sessionConsistency() },
  { factory: 'readYourWrites', example: readYourWrites, recorded: () => readYourWrites() },
  { factory: 'monotonicReads', example: monotonicReads, recorded: () => monotonicReads() },
  { factory: 'monotonicWrites', example: monotonicWrites, recorded: () => monotonicWrites() },
  { factory: 'writesFollowReads', example: writesFollowReads, recorded: () => writesFollowReads() },
  {
    factory: 'boundedStaleness',
    example: () => boundedStaleness({ within: '500ms' }),
    recorded: ({ params = {} }) => boundedStaleness(stalenessOptionsOf(params)),
  },
  {
    factory: 'mutualExclusion',
    example: mutualExclusion,
    recorded: ({ params }) => mutualExclusion(only(params, ['permits', 'acquires', 'releases'])),
  },
  {
    factory: 'fencingTokens',
    example: fencingTokens,
    recorded: ({ params }) => fencingTokens(only(params, ['token'])),
  },
  {
    factory: 'leaseExclusion',
    example: () => leaseExclusion({ ttl: '10s', clockUncertainty: '100ms' }),
    recorded: ({ params }) =>
      leaseExclusion(only(params, ['ttl', 'clockUncertainty']) as unknown as LeaseExclusionOptions),
  },
  {
    factory: 'oneLeaderPerTerm',
    example: oneLeaderPerTerm,
    recorded: ({ params }) => oneLeaderPerTerm(only(params, ['leader', 'term', 'group'])),
  },
  {
    factory: 'bankTotal',
    example: bankTotal,
    recorded: ({ params }) => bankTotal(only(params, ['total', 'negative'])),
  },
  {
    factory: 'exactlyOnce',
    example: exactlyOnce,
    recorded: ({ params }) => exactlyOnce(only(params, ['id', 'effect'])),
  },
  {
    factory: 'atLeastOnce',
    example: atLeastOnce,
    recorded: ({ params }) => atLeastOnce(only(params, ['id', 'effect'])),
  },
  { factory: 'longFork', example: longFork, recorded: ({ params }) => longFork(only(params, ['groupSize'])) },
  { factory: 'invariant', example: () => invariant('what must hold', { holds: () => true }) },
  {
    factory: 'reconciliation',
    example: reconciliation,
    recorded: ({ params }) => reconciliation(only(params, ['types', 'ignore'])),
  },
  { factory: 'replayEquivalence', example: () => replayEquivalence({ live: unread, replayed: unread }) },
  {
    factory: 'differential',
    example: () => differential({ reference: recordList }),
    recorded: () => differential({ reference: recordList, same: sameRecords }),
  },
  {
    factory: 'slo',
    example: () => slo({ latency: { percentile: 99, atMost: 500 } }),
    recorded: ({ params = {} }) => slo(sloOptionsOf(params)),
  },
  { factory: 'baseline', example: () => baseline({ metric: { latency: 99 }, baseline: [1, 1, 1] }) },
  {
    factory: 'fairness',
    example: () => fairness({ worstToAggregate: { percentile: 99, atMost: 2 } }),
    recorded: ({ params = {} }) => fairness(fairnessOptionsOf(params)),
  },
  {
    factory: 'availability',
    example: () => availability({ atLeast: 0.99 }),
    recorded: ({ params }) => availability(only(params, ['atLeast', 'window', 'recoverWithin', 'steady'])),
  },
]
