import type { Pitfall } from '../pitfall.js'

/** What goes wrong where data is on several nodes. */
export const replication: readonly Pitfall[] = [
  {
    id: 'lost-update-under-partition',
    title: 'Lost updates under concurrent writes and a partition',
    symptom: 'Writes that were acknowledged around a failover are gone, or two clients overwrite each other.',
    mechanism:
      'Both sides of a partition take writes, and one side is thrown away when it heals; or a value computed from an old read is written over a newer one, often by a retry that nobody asked for.',
    seen: [
      {
        what: 'Redis with Sentinel: the demoted primary’s acknowledged writes were discarded',
        url: 'https://aphyr.com/posts/283-jepsen-redis',
      },
      {
        what: 'Elasticsearch: acknowledged documents missing after a primary had been isolated',
        url: 'https://github.com/elastic/elasticsearch/issues/10407',
      },
      {
        what: 'TiDB: a conflicting transaction was retried with values computed from its old read',
        url: 'https://github.com/pingcap/tidb/issues/10075',
      },
    ],
    techniques: ['jepsen-and-elle', 'deterministic-simulation', 'formal-methods'],
    hypothesis:
      'If <the primary> is cut off while clients update <object> concurrently, an acknowledged update is missing from <object> once the cluster is whole again.',
    categories: ['safety', 'durability'],
    models: ['cas-register', 'register', 'set'],
    checkers: ['linearizable', 'no-lost-ack', 'set-full'],
    faults: ['partition', 'asymmetric-partition', 'split-brain', 'pause'],
  },
  {
    id: 'stale-follower-read',
    title: 'Stale reads from followers and former leaders',
    symptom: 'A read returns an older value than one that was already confirmed or read before.',
    mechanism:
      'A node answers from its own copy without asking whether it is still current: a follower that lags, a cache, or a leader that was paused and does not know that another has been elected.',
    seen: [
      {
        what: 'etcd: a paused member went on to serve reads from its old state',
        url: 'https://github.com/etcd-io/etcd/issues/20418',
      },
      {
        what: 'Dgraph: a client did not see its own transfer in its next read',
        url: 'https://github.com/dgraph-io/dgraph/issues/2143',
      },
    ],
    techniques: ['jepsen-and-elle', 'deterministic-simulation', 'formal-methods'],
    hypothesis:
      'If <the leader> is paused or <a follower> lags while <object> is written, a read served by it returns a value older than one that was acknowledged before the read began.',
    categories: ['safety'],
    models: ['register', 'session', 'map'],
    checkers: ['linearizable', 'read-your-writes', 'monotonic-reads', 'bounded-staleness'],
    faults: ['pause', 'slow-follower', 'partition', 'latency'],
  },
  {
    id: 'replica-divergence',
    title: 'Replicas that differ after a partition or a restart',
    symptom: 'The same query gives different answers on different nodes, and goes on doing so.',
    mechanism:
      'A replica has skipped, repeated or reordered an entry, or merges depend on the order in which changes arrive. Each node believes itself up to date, so nothing repairs it.',
    seen: [
      {
        what: 'etcd: members served different lists after un-synced writes had been lost (reported, cause not settled)',
        url: 'https://github.com/etcd-io/etcd/issues/14143',
      },
      {
        what: 'Automerge: two documents had nothing left to exchange and were not equal',
        url: 'https://github.com/automerge/automerge/issues/870',
      },
    ],
    techniques: ['jepsen-and-elle', 'property-and-metamorphic', 'crash-recovery-and-upgrade'],
    hypothesis:
      'If <a replica> is cut off or restarted while writes go on, its data differs from that of the others after the system says that it has caught up.',
    categories: ['membership', 'safety'],
    models: ['membership-table', 'list-append', 'map'],
    checkers: ['reconciliation', 'linearizable'],
    faults: ['partition', 'kill', 'power-loss', 'restart'],
  },
  {
    id: 'membership-change-race',
    title: 'Races of membership changes',
    symptom: 'Updates vanish, two nodes lead, or the cluster stops, after a node was added or removed.',
    mechanism:
      'Two majorities that do not overlap decide during a change: the old configuration on one side, the new one on the other, most of all when a fault or a second change comes between.',
    seen: [
      {
        what: 'RedisRaft: updates lost when the membership changed during a partition',
        url: 'https://github.com/RedisLabs/redisraft/issues/17',
      },
    ],
    techniques: ['jepsen-and-elle', 'formal-methods', 'deterministic-simulation'],
    hypothesis:
      'If <a node> is added or removed while <the leader> is cut off, two nodes lead in one term or an acknowledged write is lost.',
    categories: ['membership', 'safety', 'durability'],
    models: ['membership-table', 'register', 'set'],
    checkers: ['one-leader-per-term', 'reconciliation', 'no-lost-ack', 'linearizable'],
    faults: ['reconfiguration', 'partition', 'kill', 'rolling-restart'],
  },
  {
    id: 'cross-shard-non-atomicity',
    title: 'Changes across shards that are not atomic',
    symptom: 'A transfer is seen on one side only, totals are off, or an index disagrees with its table.',
    mechanism:
      'Each shard is consistent by itself, and the step between them is not: a coordinator dies between two commits, a shard moves, or a reader takes its snapshot at two different times.',
    seen: [
      {
        what: 'Dgraph 1.0.2: violations of snapshot isolation, many of them while predicates moved between groups',
        url: 'https://jepsen.io/analyses/dgraph-1-0-2',
      },
      {
        what: 'Dgraph 1.1.1: acknowledged inserts lost while tablets moved',
        url: 'https://jepsen.io/analyses/dgraph-1.1.1',
      },
    ],
    techniques: ['jepsen-and-elle', 'formal-methods', 'deterministic-simulation'],
    hypothesis:
      'If <the coordinator> is killed or <a shard> moves during transfers between <shards>, some read sees a total that no serial order gives.',
    categories: ['isolation', 'safety'],
    models: ['ledger', 'list-append', 'multi-register'],
    checkers: ['bank-total', 'linearizable', 'long-fork'],
    faults: ['kill', 'partition', 'reconfiguration', 'latency'],
  },
]
