import type { TechniqueId } from './technique.js'

/** A row of the index: what is seen, and how to look for its cause. */
export interface Symptom {
  readonly symptom: string
  /** Other words for it, for those who search. */
  readonly also: string
  readonly techniques: readonly TechniqueId[]
  /** Ids of the pitfalls that show so. */
  readonly pitfalls: readonly string[]
}

/** The index. */
export const symptoms: readonly Symptom[] = [
  {
    symptom: 'a read is older than what was confirmed before',
    also: 'stale read after failover, follower, replica lag, cache, read your writes',
    techniques: ['jepsen-and-elle', 'deterministic-simulation'],
    pitfalls: ['stale-follower-read', 'linearizability-under-clock-skew'],
  },
  {
    symptom: 'an acknowledged write is gone after a failover or a partition',
    also: 'lost update, lost write, data loss, split brain, demoted primary, leader',
    techniques: ['jepsen-and-elle', 'formal-methods'],
    pitfalls: ['lost-update-under-partition', 'membership-change-race', 'lost-ack-or-lost-commit'],
  },
  {
    symptom: 'an acknowledged write is gone after a crash or a power failure',
    also: 'data loss, fsync, page cache, durability, disk, restart, lost write',
    techniques: ['crash-recovery-and-upgrade'],
    pitfalls: ['lost-ack-or-lost-commit', 'crash-recovery-divergence'],
  },
  {
    symptom: 'something is carried out twice',
    also: 'duplicate, double charge, retry, exactly once, idempotency, redelivery, replay',
    techniques: ['jepsen-and-elle', 'crash-recovery-and-upgrade'],
    pitfalls: ['idempotency-cold-cache', 'lost-ack-or-lost-commit', 'watch-loss-or-duplication'],
  },
  {
    symptom: 'nodes give different answers to one question',
    also: 'divergence, inconsistent replicas, checksum, anti-entropy, merge, convergence, crdt',
    techniques: ['jepsen-and-elle', 'property-and-metamorphic'],
    pitfalls: ['replica-divergence', 'auth-or-quota-divergence', 'crash-recovery-divergence'],
  },
  {
    symptom: 'totals are off, or half of a change is seen',
    also: 'transaction, atomicity, isolation anomaly, write skew, bank, transfer, shard, two phase commit',
    techniques: ['jepsen-and-elle', 'formal-methods'],
    pitfalls: ['cross-shard-non-atomicity', 'lost-update-under-partition'],
  },
  {
    symptom: 'two clients hold one lock, or two nodes lead',
    also: 'mutual exclusion, lease, fencing, split brain, election, two leaders, ttl',
    techniques: ['jepsen-and-elle', 'formal-methods'],
    pitfalls: ['clock-dependent-safety', 'lease-expiry-under-contention', 'membership-change-race'],
  },
  {
    symptom: 'sessions or leases end although they were renewed',
    also: 'expiry, keepalive, heartbeat, revoked, timeout, stall, pause, garbage collection',
    techniques: ['chaos-and-fault-injection', 'jepsen-and-elle'],
    pitfalls: ['lease-expiry-under-contention', 'clock-dependent-safety'],
  },
  {
    symptom: 'it goes wrong only when clocks differ',
    also: 'clock skew, drift, ntp, leap, timestamp, time jump',
    techniques: ['jepsen-and-elle', 'deterministic-simulation'],
    pitfalls: ['linearizability-under-clock-skew', 'clock-dependent-safety', 'id-collision'],
  },
  {
    symptom: 'a duplicate key, or one id for two things',
    also: 'sequence, auto increment, collision, snowflake, uuid, unique',
    techniques: ['jepsen-and-elle', 'property-and-metamorphic'],
    pitfalls: ['id-collision'],
  },
  {
    symptom: 'a subscriber misses events, or sees them twice or out of order',
    also: 'watch, change data capture, feed, stream, offset, gap, reordering, cursor',
    techniques: ['jepsen-and-elle', 'deterministic-simulation'],
    pitfalls: ['watch-loss-or-duplication', 'outbox-head-of-line'],
  },
  {
    symptom: 'events stop behind one that cannot be handled',
    also: 'outbox, poison message, head of line, blocked queue, foreign key, dead letter, backlog',
    techniques: ['chaos-and-fault-injection', 'property-and-metamorphic'],
    pitfalls: ['outbox-head-of-line'],
  },
  {
    symptom: 'it breaks while nodes are added or removed',
    also: 'membership, reconfiguration, scaling, rebalance, joining, resharding',
    techniques: ['jepsen-and-elle', 'formal-methods'],
    pitfalls: ['membership-change-race', 'cross-shard-non-atomicity'],
  },
  {
    symptom: 'it breaks during an upgrade, or cannot be rolled back',
    also: 'version, mixed version, rolling upgrade, downgrade, format, compatibility',
    techniques: ['crash-recovery-and-upgrade'],
    pitfalls: ['schema-migration-under-traffic', 'crash-recovery-divergence'],
  },
  {
    symptom: 'rows are wrong or missing since a schema change',
    also: 'migration, ddl, index, backfill, column',
    techniques: ['crash-recovery-and-upgrade', 'property-and-metamorphic'],
    pitfalls: ['schema-migration-under-traffic'],
  },
  {
    symptom: 'one tenant sees or changes what is another’s',
    also: 'leak, boundary, authorization, namespace, isolation of tenants, access control, permission',
    techniques: ['property-and-metamorphic', 'fuzzing'],
    pitfalls: ['auth-or-quota-divergence'],
  },
  {
    symptom: 'a request is allowed by one node and refused by another',
    also: 'permission, role, token, credential, quota, rate limit, authentication',
    techniques: ['chaos-and-fault-injection', 'property-and-metamorphic'],
    pitfalls: ['auth-or-quota-divergence'],
  },
  {
    symptom: 'one surface shows what another does not',
    also: 'export, search, listing, index, api, query, secondary index',
    techniques: ['property-and-metamorphic'],
    pitfalls: ['schema-migration-under-traffic', 'cross-shard-non-atomicity'],
  },
  {
    symptom: 'it is slow for some, or at times',
    also: 'latency, tail, percentile, p99, starvation, noisy neighbour, fairness, throughput',
    techniques: ['performance-and-benchmarking'],
    pitfalls: ['outbox-head-of-line'],
  },
  {
    symptom: 'a small fault becomes an outage, or does not end with its cause',
    also: 'retry storm, cascading, metastable, overload, timeout, availability, failover does not happen',
    techniques: ['chaos-and-fault-injection', 'performance-and-benchmarking'],
    pitfalls: ['lease-expiry-under-contention', 'outbox-head-of-line'],
  },
  {
    symptom: 'it crashes or hangs on odd input',
    also: 'parser, decoder, protocol, malformed, panic, memory, fuzz',
    techniques: ['fuzzing'],
    pitfalls: [],
  },
  {
    symptom: 'a failure was seen once and never again',
    also: 'flaky, race, heisenbug, nondeterministic, cannot reproduce, interleaving, seed',
    techniques: ['deterministic-simulation', 'fuzzing'],
    pitfalls: [],
  },
  {
    symptom: 'nobody can say what the protocol promises',
    also: 'design, specification, consensus, invariant, proof, model checking',
    techniques: ['formal-methods'],
    pitfalls: [],
  },
]
