import { claim, nemesis, scenario, workload } from 'vitest-nemesis'
import { linearizable } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { certainlyFailed, type RegisterClient } from '../quorum-register/client.js'
import { registerCluster } from '../quorum-register/cluster.js'

const C1 = claim('C1', 'An acknowledged write survives that the power goes off everywhere', {
  categories: ['durability', 'safety'],
  source: 'examples/quorum-register/src/replica.ts',
})

/** The bug: with SYNC=never a version counts as stored although only the kernel has it. */
scenario('acknowledged_writes_survive_a_power_loss', {
  id: 'S1',
  falsifies: [C1],
  system: registerCluster('unsynced-register', { SYNC: process.env['SYNC'] ?? 'never' }, { disk: 'fuse' }),
  model: register(),
  workload: workload<RegisterClient>({
    clients: 3,
    rate: '60/s',
    keys: { count: 4 },
    operations: {
      write: {
        run: async ({ client, key, value, signal }) => {
          await client.put(key, value, { signal })
        },
      },
      read: { run: async ({ client, key, signal }) => (await client.get(key, { signal })).value },
    },
    timeout: '1s',
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
  }),
  nemesis: [nemesis('power-loss', { node: 'all', at: '1s', for: '0.5s' })],
  checkers: [linearizable()],
  budget: { smoke: { duration: '3s', nodes: 3, faults: 1, seeds: 1 } },
})
