import { claim, scenario, workload } from 'vitest-nemesis'
import { linearizable } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { certainlyFailed, type EtcdClient } from '../etcd-docker/client.js'
import { etcdCluster, etcdFaults } from './etcd.js'
import { randomFaults, soakBudget } from './soak.js'

const C1 = claim('C1', 'Reads and writes of a key are linearizable', {
  categories: ['safety'],
  source: 'https://etcd.io/docs/v3.4/learning/api_guarantees/',
})

scenario('etcd_reads_and_writes_are_linearizable_under_random_faults', {
  id: 'S1',
  falsifies: [C1],
  system: etcdCluster(),
  model: register(),
  workload: workload<EtcdClient>({
    clients: 6,
    rate: '60/s',
    keys: { count: 20 },
    operations: {
      write: { run: ({ client, key, value, signal }) => client.put(key, Number(value), { signal }) },
      read: { run: ({ client, key, signal }) => client.get(key, { serializable: false, signal }) },
    },
    timeout: '1s',
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
  }),
  nemesis: [randomFaults({ kinds: etcdFaults })],
  checkers: [linearizable()],
  budget: soakBudget(3),
  // Draws nearly every kind in ten minutes, and some that are soon over at first.
  seed: 252,
})
