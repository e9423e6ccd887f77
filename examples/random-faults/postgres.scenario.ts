import { claim, scenario, workload } from 'vitest-nemesis'
import { linearizable, noLostAck } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import type { PostgresClient } from './postgres-client.js'
import { postgres, postgresFaults } from './postgres.js'
import { randomFaults, soakBudget } from './soak.js'

const C1 = claim('C1', 'A commit that was acknowledged survives a crash of the server or of its disk', {
  categories: ['durability', 'safety'],
  source: 'https://www.postgresql.org/docs/15/wal-reliability.html',
})

scenario('acknowledged_commits_survive_random_faults', {
  id: 'S3',
  falsifies: [C1],
  system: postgres(),
  model: register(),
  workload: workload<PostgresClient>({
    clients: 6,
    rate: '60/s',
    keys: { count: 20 },
    operations: {
      write: { run: ({ client, key, value }) => client.put(key, Number(value)) },
      read: { run: ({ client, key }) => client.get(key) },
    },
    timeout: '1s',
  }),
  // A single server: whatever takes it takes all.
  nemesis: [randomFaults({ kinds: postgresFaults, keepQuorum: false })],
  checkers: [
    linearizable(),
    noLostAck<PostgresClient>({ final: ({ client, key }) => client.get(String(key)) }),
  ],
  budget: soakBudget(1),
})
