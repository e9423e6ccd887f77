// What checkers.mjs measures: each checker with a history that it has to go through to the end, as none violates it.
import * as checkers from '../dist/src/checkers/index.js'
import { validHistory } from '../dist/src/generators/index.js'
import { modelNamed } from '../dist/src/models/named.js'

const processes = 20

/** A generated history of a model, with one in a hundred outcomes unknown. */
function played(name, model, checker, shape = {}) {
  return {
    name,
    make: (operations) => ({
      checker: checker(),
      model: modelNamed(model),
      history: validHistory(model, { operations, processes, unknown: 0.01, seed: 1, ...shape }),
    }),
  }
}

/** A history of operations that follow one another, `processes` at a time. */
function written(name, checker, operationAt, model = null) {
  return {
    name,
    make: (operations) => ({
      checker: checker(),
      model: model === null ? null : modelNamed(model),
      history: Array.from({ length: operations }, (_, index) => recorded(index, operationAt(index))),
    }),
  }
}

/** Elements that are added, and one read of all of them at the end. */
function elements(name, checker) {
  return {
    name,
    make: (operations) => {
      const added = written(name, checker, (index) => ({ op_type: 'add', input: index }), 'set').make(
        operations - 1,
      )
      const all = Array.from({ length: operations - 1 }, (_, index) => index)
      const end = 1_000 * operations + 100_000
      const read = recorded(operations, { output: all, invoke_ts: end, complete_ts: end + 1 })
      return { ...added, history: [...added.history, read] }
    },
  }
}

function recorded(index, given) {
  return {
    op_id: index,
    process_id: index % processes,
    invoke_ts: 1_000 * index,
    complete_ts: 1_000 * index + 15_000 + (index % 7),
    op_type: 'read',
    key: null,
    input: null,
    output: null,
    error: null,
    timeout_marker: false,
    node_seen: `n${index % 3}`,
    fault_epoch: null,
    ...given,
  }
}

const accounts = 10
const keys = { keys: 20 }

export const subjects = [
  played('linearizable', 'register', checkers.linearizable),
  played('sequential', 'register', checkers.sequential),
  elements('no-lost-ack', () => checkers.noLostAck()),
  written(
    'total-queue',
    () => checkers.totalQueue({ drained: true }),
    (index) =>
      index % 2 === 0 ? { op_type: 'enqueue', input: index } : { op_type: 'dequeue', output: index - 1 },
  ),
  played('no-duplicates', 'queue', checkers.noDuplicates),
  played('no-unexpected', 'queue', checkers.noUnexpected),
  played('prefix-order', 'queue', checkers.prefixOrder),
  played('log-offsets', 'log', checkers.logOffsets),
  elements('set', checkers.finalSet),
  played('set-full', 'set', checkers.setFull),
  played('counter', 'counter', checkers.counterBounds),
  played('session-consistency', 'session', checkers.sessionConsistency, keys),
  played('read-your-writes', 'session', checkers.readYourWrites, keys),
  played('monotonic-reads', 'session', checkers.monotonicReads, keys),
  played('monotonic-writes', 'session', checkers.monotonicWrites, keys),
  played('writes-follow-reads', 'session', checkers.writesFollowReads, keys),
  played('bounded-staleness', 'session', () => checkers.boundedStaleness({ within: '1ms' }), keys),
  played('mutual-exclusion', 'lock', checkers.mutualExclusion, { ...keys, unknown: 0 }),
  played('fencing-tokens', 'lease', checkers.fencingTokens, keys),
  played(
    'lease-exclusion',
    'lease',
    () => checkers.leaseExclusion({ ttl: '2ms', clockUncertainty: 0 }),
    keys,
  ),
  written('unique-ids', checkers.uniqueIds, (index) => ({ op_type: 'generate', output: `id-${index}` })),
  written('one-leader-per-term', checkers.oneLeaderPerTerm, (index) => {
    const term = Math.floor(index / 50)
    return { op_type: 'leader', output: { leader: `n${term % 3}`, term } }
  }),
  written('bank-total', checkers.bankTotal, (index) =>
    index % 2 === 0
      ? {
          op_type: 'transfer',
          input: { from: index % accounts, to: (index + 1) % accounts, amount: 1 },
          output: true,
        }
      : { output: Object.fromEntries(Array.from({ length: accounts }, (_, account) => [account, 100])) },
  ),
  written(
    'exactly-once',
    () => checkers.exactlyOnce({ id: 'business_id' }),
    (index) => ({
      op_type: 'process',
      input: { business_id: `order-${index}` },
      output: { business_id: `order-${index}`, effect: index },
    }),
  ),
  written(
    'at-least-once',
    () => checkers.atLeastOnce({ id: 'business_id' }),
    (index) => ({
      op_type: 'process',
      input: { business_id: `order-${index >> 1}` },
      output: { business_id: `order-${index >> 1}`, effect: index },
    }),
  ),
  written('long-fork', checkers.longFork, (index) => {
    const [group, step] = [Math.floor(index / 6), index % 6]
    const key = (of) => 3 * group + of
    if (step < 3) return { op_type: 'write', input: [['w', key(step), 1]], output: [['w', key(step), 1]] }
    const read = [0, 1, 2].map((of) => ['r', key(of), 1])
    return { input: read.map(([r, k]) => [r, k, null]), output: read }
  }),
  written('reconciliation', checkers.reconciliation, () => ({
    op_type: 'dump',
    output: { a: 1, b: [1, 2, 3] },
  })),
  written(
    'differential',
    () => {
      const reference = () => {
        let total = 0
        return { apply: ({ type }) => (type === 'add' ? (total += 1) : total) }
      }
      return checkers.differential({ reference })
    },
    (index) => ({ op_type: 'add', output: index + 1, complete_ts: 1_000 * index + 1 }),
  ),
  written(
    'slo',
    () => checkers.slo({ latency: { percentile: 99, atMost: '1s' }, errors: { atMost: 0.1 } }),
    () => ({}),
  ),
  written(
    'baseline',
    () => checkers.baseline({ metric: { latency: 99 }, baseline: [1, 1, 1] }),
    () => ({}),
  ),
  written(
    'fairness',
    () => checkers.fairness({ worstToAggregate: { percentile: 99, atMost: 9 }, maxErrorRate: 0.1 }),
    (index) => ({
      key: `tenant-${index % 100}`,
    }),
  ),
  written(
    'availability',
    () => checkers.availability({ atLeast: 0.9 }),
    () => ({}),
  ),
]
