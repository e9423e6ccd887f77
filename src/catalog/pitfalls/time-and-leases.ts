import type { Pitfall } from '../pitfall.js'

/** What goes wrong where correctness hangs on clocks. */
export const timeAndLeases: readonly Pitfall[] = [
  {
    id: 'linearizability-under-clock-skew',
    title: 'Linearizability lost under clock skew',
    symptom: 'Stale or missing values that appear only while clocks of nodes disagree.',
    mechanism:
      'Versions are ordered by timestamps of different machines. A write with a stamp from a slow clock loses against an older one, or a read at a fast clock’s time misses what is committed next.',
    seen: [
      {
        what: 'YugabyteDB: totals of accounts diverged under skew within the configured bound',
        url: 'https://github.com/yugabyte/yugabyte-db/issues/975',
      },
      {
        what: 'YugabyteDB: a counter read below its lower bound with skew as the only fault',
        url: 'https://github.com/yugabyte/yugabyte-db/issues/2182',
      },
    ],
    techniques: ['jepsen-and-elle', 'deterministic-simulation'],
    hypothesis:
      'If the clock of <a node> is <offset> off, within the bound that is allowed, a read misses a write that was acknowledged before it began.',
    categories: ['safety'],
    models: ['register', 'counter', 'ledger'],
    checkers: ['linearizable', 'counter', 'bank-total'],
    faults: ['clock-skew', 'clock-rate', 'pause'],
  },
  {
    id: 'clock-dependent-safety',
    title: 'Safety that depends on clocks',
    symptom: 'Two clients hold one lock, or a timeout protects what only a token could protect.',
    mechanism:
      'A holder counts its time to live by its own clock and goes on after a pause or a jump, while the server has given the lock away. Without a fencing token nothing stops the late write.',
    seen: [
      {
        what: 'etcd 3.4.3: locks bound to leases did not exclude clients that were paused or slow',
        url: 'https://jepsen.io/analyses/etcd-3.4.3',
      },
      {
        what: 'YugabyteDB: pages of one query were read at different times, stale even within the bound on skew',
        url: 'https://github.com/yugabyte/yugabyte-db/issues/1281',
      },
    ],
    techniques: ['jepsen-and-elle', 'formal-methods', 'chaos-and-fault-injection'],
    hypothesis:
      'If the clock of <the holder or the server> jumps or the holder is paused for longer than <time to live>, two clients act under <the lock> at one time.',
    categories: ['safety'],
    models: ['lock', 'lease'],
    checkers: ['mutual-exclusion', 'fencing-tokens', 'lease-exclusion'],
    faults: ['clock-skew', 'clock-rate', 'pause', 'latency'],
  },
  {
    id: 'lease-expiry-under-contention',
    title: 'Leases that expire or go on wrongly under contention',
    symptom: 'All sessions end at once after a stall, or a lock is granted to someone whose lease has gone.',
    mechanism:
      'Renewals queue behind load, or a leader that was stuck acts on expiries which it saw before it was replaced. A waiter is served without a look at whether its own lease still lives.',
    seen: [
      {
        what: 'etcd: a leader stuck on a slow disk revoked all leases after it had lost the lead',
        url: 'https://github.com/etcd-io/etcd/issues/15247',
      },
      {
        what: 'etcd: a lock was granted to a waiter whose lease had expired',
        url: 'https://github.com/etcd-io/etcd/issues/11456',
      },
    ],
    techniques: ['jepsen-and-elle', 'chaos-and-fault-injection', 'deterministic-simulation'],
    hypothesis:
      'If <the leader>’s disk or processor stalls while <many> clients renew and wait, a lease that was renewed in time ends, or an ended one is served.',
    categories: ['safety', 'liveness'],
    models: ['lease', 'lock', 'semaphore'],
    checkers: ['lease-exclusion', 'mutual-exclusion', 'availability'],
    faults: ['slow-disk', 'pause', 'latency', 'split-brain'],
  },
]
