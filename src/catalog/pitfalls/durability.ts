import type { Pitfall } from '../pitfall.js'

/** What goes wrong between a write and its place on a disk. */
export const durability: readonly Pitfall[] = [
  {
    id: 'lost-ack-or-lost-commit',
    title: 'A lost acknowledgement taken for a lost commit, and the reverse',
    symptom: 'Confirmed writes are missing after a crash, or a write that “failed” is there, perhaps twice.',
    mechanism:
      'An answer that never came says nothing about the write: clients that treat a timeout as a failure retry what has happened. And a server that answers before it has synced takes back what it confirmed.',
    seen: [
      {
        what: 'NATS 2.12.1: acknowledged before flushed; a power failure took acknowledged messages',
        url: 'https://jepsen.io/analyses/nats-2.12.1',
      },
      {
        what: 'the same, as an issue',
        url: 'https://github.com/nats-io/nats-server/issues/7564',
      },
      {
        what: 'a test client recorded a timeout as a failure, and a correct history looked wrong',
        url: 'https://github.com/jepsen-io/jepsen/issues/596',
      },
    ],
    techniques: ['crash-recovery-and-upgrade', 'jepsen-and-elle'],
    hypothesis:
      'If <nodes> lose power right after an acknowledgement, an acknowledged <write> is missing afterwards; and a write of unknown outcome never counts as rejected.',
    categories: ['durability'],
    models: ['queue', 'set', 'log', 'register'],
    checkers: ['no-lost-ack', 'total-queue', 'set-full', 'log-offsets'],
    faults: ['power-loss', 'kill', 'fsync-failure', 'partition'],
  },
  {
    id: 'crash-recovery-divergence',
    title: 'State after recovery that is not the state before',
    symptom: 'After a restart a node answers with nothing, with too little, or with something applied twice.',
    mechanism:
      'Replay starts at the wrong place, runs before the log is whole, or finds a snapshot and a log that do not fit. A node serves clients before it has finished.',
    seen: [
      {
        what: 'RedisRaft: one node answered with an empty list for a moment after the cluster was restarted',
        url: 'https://github.com/RedisLabs/redisraft/issues/18',
      },
      {
        what: 'NATS 2.12.1: single flipped bits in files of a stream lost many acknowledged messages',
        url: 'https://jepsen.io/analyses/nats-2.12.1',
      },
    ],
    techniques: ['crash-recovery-and-upgrade', 'deterministic-simulation', 'jepsen-and-elle'],
    hypothesis:
      'If <all nodes> are killed during <snapshots or compaction> and started again, what they serve differs from what a replay of the acknowledged operations gives.',
    categories: ['durability', 'safety'],
    models: ['log', 'list-append', 'register'],
    checkers: ['replay-equivalence', 'no-lost-ack', 'linearizable', 'reconciliation'],
    faults: ['kill', 'power-loss', 'corruption', 'bit-flip', 'compaction'],
  },
]
