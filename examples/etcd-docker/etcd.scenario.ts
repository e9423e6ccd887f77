import { claim, nemesis, scenario, workload } from 'vitest-nemesis'
import { linearizable } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { certainlyFailed, type EtcdClient } from './client.js'
import { etcdCluster } from './cluster.js'

const C1 = claim('C1', 'Reads and writes of a key are linearizable', {
  categories: ['safety'],
  source: 'https://etcd.io/docs/v3.4/learning/api_guarantees/',
})
/** Nobody claims this of serializable reads; the scenario shows what one would see who relied on it. */
const C2 = claim('C2', 'Serializable reads are as fresh as linearizable ones', {
  categories: ['safety'],
  source: 'examples/etcd-docker/README.md',
})

function readsAndWrites(options: { serializable: boolean }) {
  return workload<EtcdClient>({
    clients: 6,
    rate: '120/s',
    keys: { count: 6 },
    operations: {
      write: {
        weight: 1,
        run: ({ client, key, value, signal }) => client.put(key, Number(value), { signal }),
      },
      read: { weight: 2, run: ({ client, key, signal }) => client.get(key, { ...options, signal }) },
    },
    timeout: '1s',
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
  })
}

const faults = [
  nemesis('asymmetric-partition', { from: 'leader', to: 'others', at: '1s', for: '3s' }),
  nemesis('pause', { node: 'leader', at: '6s', for: '2s' }),
]

const budget = { smoke: { duration: '10s', nodes: 3, faults: 2, seeds: 1 } } as const

scenario('linearizable_reads_stay_fresh_when_the_leader_is_half_cut_off_and_paused', {
  id: 'S1',
  falsifies: [C1],
  system: etcdCluster('etcd'),
  model: register(),
  workload: readsAndWrites({ serializable: false }),
  nemesis: faults,
  checkers: [linearizable()],
  budget,
})

scenario('serializable_reads_stay_fresh_when_the_leader_is_half_cut_off_and_paused', {
  id: 'S2',
  falsifies: [C2],
  system: etcdCluster('etcd-serializable'),
  model: register(),
  workload: readsAndWrites({ serializable: true }),
  nemesis: faults,
  checkers: [linearizable()],
  budget,
})
