import type { Pitfall } from '../pitfall.js'

/** What goes wrong where schemas, identities and rights are not the same everywhere. */
export const changeAndIdentity: readonly Pitfall[] = [
  {
    id: 'schema-migration-under-traffic',
    title: 'Schema migrations under traffic',
    symptom:
      'Rows lack a column or an index entry, or are unreadable, if they were written during a migration.',
    mechanism:
      'Nodes hold different versions of the schema for a while. A write by the old one leaves out what the new one needs, and the backfill has already passed.',
    seen: [
      {
        what: 'TiDB: transactions that ran beside schema changes left inconsistent data',
        url: 'https://github.com/pingcap/tidb/issues/59960',
      },
      {
        what: 'TiDB: an index disagreed with its table after random transactions beside schema changes',
        url: 'https://github.com/pingcap/tidb/issues/21289',
      },
    ],
    techniques: ['crash-recovery-and-upgrade', 'property-and-metamorphic', 'jepsen-and-elle'],
    hypothesis:
      'If <column or index> is added while clients write, some row is found by <one access path> and not by <another> once the migration is over.',
    categories: ['safety', 'isolation'],
    models: ['map', 'set', 'list-append'],
    checkers: ['differential', 'set-full', 'linearizable', 'invariant'],
    faults: ['mixed-version', 'rolling-upgrade', 'config-divergence', 'partition'],
  },
  {
    id: 'id-collision',
    title: 'Collisions of ids and sequence numbers',
    symptom: 'Duplicate keys, or a new object under the id of an old one.',
    mechanism:
      'Two nodes hand out the same range: one has lost the lead and does not know, a counter was restored from an old copy, a clock went back, or a node number was given twice.',
    seen: [
      {
        what: 'Vitess: two tablets that both believed to be primary could hand out overlapping sequences',
        url: 'https://github.com/vitessio/vitess/issues/5590',
      },
      {
        what: 'TiDB: a former owner of the id service could write back its old position',
        url: 'https://github.com/pingcap/tidb/issues/46444',
      },
    ],
    techniques: ['jepsen-and-elle', 'property-and-metamorphic', 'deterministic-simulation'],
    hypothesis:
      'If <the allocator> is paused, cut off or restored from a backup while ids are drawn, one id is given out twice.',
    categories: ['safety'],
    models: ['counter', 'set'],
    checkers: ['unique-ids', 'invariant'],
    faults: ['split-brain', 'pause', 'clock-skew', 'backup-restore-race', 'kill'],
  },
  {
    id: 'auth-or-quota-divergence',
    title: 'Rights and quotas that differ between nodes',
    symptom: 'A request is refused by one node and served by another; a limit holds on some nodes only.',
    mechanism:
      'Users, roles, keys or counters are copied beside the data and by other rules. Where a right decides whether an entry is applied, nodes that disagree on rights come to disagree on data.',
    seen: [
      {
        what: 'etcd: a member with an older auth revision refused entries that the others applied',
        url: 'https://github.com/etcd-io/etcd/issues/11651',
      },
      {
        what: 'etcd 3.5.5: a member started with an empty cache of permissions',
        url: 'https://github.com/etcd-io/etcd/issues/14571',
      },
    ],
    techniques: ['chaos-and-fault-injection', 'jepsen-and-elle', 'property-and-metamorphic'],
    hypothesis:
      'If <right or quota> is changed while <a node> is down or cut off, that node serves what must be refused, or its data differs afterwards.',
    categories: ['boundary', 'membership'],
    models: ['membership-table', 'map'],
    checkers: ['reconciliation', 'invariant'],
    faults: ['credential-divergence', 'config-divergence', 'partition', 'restart'],
  },
]
