import { claim, nemesis, scenario } from 'vitest-nemesis'
import { linearizable, noLostAck } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { certainlyFailed, type RedisClient } from './client.js'
import { failover } from './failover.js'
import { redisPair } from './pair.js'

const C1 = claim(
  'C1',
  'An acknowledged write survives the failover to the replica: whoever reads later sees it',
  {
    categories: ['durability', 'safety'],
    source: 'https://redis.io/docs/latest/operate/oss_and_stack/management/replication/',
  },
)

const partition = nemesis('partition', { groups: [['n1'], ['n2']], landWithin: '20s' })
const checkers = [
  noLostAck<RedisClient>({ final: ({ client, key }) => client.get(String(key)) }),
  linearizable(),
]
const budget = { smoke: { duration: '2s', nodes: 2, faults: 1, seeds: 1 } } as const

/** Redis acknowledges before it replicates: what n1 acknowledged alone is thrown away when it follows n2. */
scenario(
  'an_acknowledged_write_survives_failover',
  { id: 'S1', falsifies: [C1], system: redisPair('redis'), model: register(), checkers, budget },
  (tools) =>
    failover(tools, {
      write: (client, key, value) => client.set(key, value),
      partition,
      mayPromote: (acknowledged) => acknowledged >= 30,
    }),
)

/**
 * The client counts a write as acknowledged only when `WAIT` says that the replica has it, and n2 is promoted only
 * once n1, for want of a replica, refuses to write.
 */
scenario(
  'a_write_acknowledged_by_the_replica_survives_failover_from_a_fenced_primary',
  {
    id: 'S2',
    falsifies: [C1],
    system: redisPair('redis-waiting', ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2']),
    model: register(),
    checkers,
    budget,
  },
  (tools) =>
    failover(tools, {
      write: (client, key, value) => client.setReplicated(key, value, 100),
      partition,
      mayPromote: (_, lastError) => certainlyFailed(lastError),
    }),
)
