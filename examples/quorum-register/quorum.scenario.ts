import { claim, nemesis, scenario, workload } from 'vitest-nemesis'
import { linearizable, noLostAck } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { certainlyFailed, type RegisterClient } from './client.js'
import { registerCluster } from './cluster.js'

const C1 = claim(
  'C1',
  'Each register is linearizable: a read returns the latest finished write or a newer one',
  {
    categories: ['safety'],
    source: 'examples/quorum-register/src/coordinator.ts',
  },
)
const C2 = claim('C2', 'An acknowledged write survives a partition and the kill of any one node', {
  categories: ['durability'],
  source: 'examples/quorum-register/src/replica.ts',
})

/** Six clients, two at each node; few keys, so that clients meet on them. */
const readsAndWrites = workload<RegisterClient>({
  clients: 6,
  rate: '150/s',
  keys: { count: 4 },
  operations: {
    write: {
      weight: 1,
      run: async ({ client, key, value, signal, seen }) => {
        seen((await client.put(key, value, { signal })).node)
      },
    },
    read: {
      weight: 2,
      run: async ({ client, key, signal, seen }) => {
        const answer = await client.get(key, { signal })
        seen(answer.node)
        return answer.value
      },
    },
  },
  timeout: '1s',
  classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
})

scenario('quorum_reads_and_writes_are_linearizable_under_partition_and_kill', {
  id: 'S1',
  falsifies: [C1, C2],
  system: registerCluster('quorum-register'),
  model: register(),
  workload: readsAndWrites,
  nemesis: [
    nemesis('partition', { isolate: 'n3', at: '1s', for: '2s' }),
    nemesis('kill', { node: 'n2', at: '4s', for: '1s' }),
  ],
  checkers: [
    linearizable(),
    noLostAck<RegisterClient>({ final: async ({ client, key }) => (await client.get(String(key))).value }),
  ],
  budget: { smoke: { duration: '6s', nodes: 3, faults: 2, seeds: 1 } },
})

scenario('local_reads_are_linearizable_under_partition', {
  id: 'S2',
  falsifies: [C1],
  system: registerCluster('local-read-register', { READ: 'local' }),
  model: register(),
  workload: readsAndWrites,
  nemesis: [nemesis('partition', { isolate: 'n3', at: '0.5s', for: '1.5s' })],
  checkers: [linearizable()],
  budget: { smoke: { duration: '3s', nodes: 3, faults: 1, seeds: 1 } },
})

/** Only n1 coordinates: n2 and n3 never talk to each other, so cutting them apart tests nothing. */
scenario('reads_are_linearizable_when_the_followers_are_cut_from_each_other', {
  id: 'S3',
  falsifies: [C1],
  system: registerCluster('coordinated-register', { COORDINATOR: 'n1' }),
  model: register(),
  workload: readsAndWrites,
  nemesis: [nemesis('partition', { groups: [['n2'], ['n3']], at: '0.5s', for: '1.5s' })],
  checkers: [linearizable()],
  budget: { smoke: { duration: '3s', nodes: 3, faults: 1, seeds: 1 } },
})
