import type { Pitfall } from '../pitfall.js'

/** What goes wrong on the way of messages, events and effects. */
export const delivery: readonly Pitfall[] = [
  {
    id: 'watch-loss-or-duplication',
    title: 'Change feeds that lose, repeat or reorder events',
    symptom: 'A cache fed by events is wrong for good, or goes back in time.',
    mechanism:
      'A subscription is resumed on another node at a position that is off, beyond what has been compacted, or ahead of what that node has applied.',
    seen: [
      {
        what: 'etcd: a watch delivered old revisions again after a partition',
        url: 'https://github.com/etcd-io/etcd/issues/15271',
      },
      {
        what: 'RabbitMQ: a message sent during a partition was not sent again, and those after it were never enqueued',
        url: 'https://github.com/rabbitmq/rabbitmq-server/pull/14589',
      },
    ],
    techniques: ['jepsen-and-elle', 'deterministic-simulation'],
    hypothesis:
      'If <the node that serves a feed> is cut off or restarted, or history is compacted, a subscriber that resumes misses an event, sees one twice, or sees them out of order.',
    categories: ['ordering', 'durability'],
    models: ['log', 'queue'],
    checkers: ['prefix-order', 'log-offsets', 'no-lost-ack', 'no-duplicates', 'monotonic-reads'],
    faults: ['partition', 'kill', 'compaction', 'slow-follower'],
  },
  {
    id: 'idempotency-cold-cache',
    title: 'Idempotency that a cold cache forgets',
    symptom: 'A retry is carried out a second time after a restart or a failover.',
    mechanism:
      'The keys that were seen are kept in memory, or on one node, or for a while. The effect lives longer than the memory of it.',
    seen: [
      {
        what: 'NATS JetStream: a message id was accepted again after a purge and a restart, and not without the restart',
        url: 'https://github.com/nats-io/nats-server/issues/3272',
      },
      {
        what: 'Redpanda: after a takeover one input record was processed and committed twice',
        url: 'https://github.com/redpanda-data/redpanda/issues/10669',
      },
    ],
    techniques: ['jepsen-and-elle', 'crash-recovery-and-upgrade', 'chaos-and-fault-injection'],
    hypothesis:
      'If <the node that took a request> is killed or replaced before the client retries with the same <business key>, the effect comes about twice.',
    categories: ['idempotency'],
    models: ['ledger', 'queue', 'log'],
    checkers: ['exactly-once', 'no-duplicates'],
    faults: ['kill', 'restart', 'rolling-restart', 'partition'],
  },
  {
    id: 'outbox-head-of-line',
    title: 'An outbox blocked by its first message',
    symptom: 'Events stop for everybody because one of them cannot be applied.',
    mechanism:
      'Messages go out in order, and one refers to something that the receiver does not have, or never will. It is tried again for ever, and all others wait behind it.',
    seen: [
      {
        what: 'Farcaster Hub: a replicator stopped updating with errors of foreign keys',
        url: 'https://github.com/farcasterxyz/hub-monorepo/issues/1556',
      },
      {
        what: 'an outbox without a limit of attempts: one bad row blocked every later event',
        url: 'https://github.com/watt-mind/factory/issues/1479',
      },
    ],
    techniques: ['chaos-and-fault-injection', 'property-and-metamorphic', 'performance-and-benchmarking'],
    hypothesis:
      'If <the referent> of one event is missing or arrives late, events of other <tenants or keys> are not delivered within <time>.',
    categories: ['liveness', 'fairness', 'durability'],
    models: ['queue', 'log'],
    checkers: ['at-least-once', 'fairness', 'availability', 'slo'],
    faults: ['partition', 'latency', 'backup-restore-race', 'kill'],
  },
]
