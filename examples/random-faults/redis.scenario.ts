import { claim, scenario, workload } from 'vitest-nemesis'
import { invariant, oneLeaderPerTerm, reconciliation } from 'vitest-nemesis/checkers'
import type { RedisClient } from './redis-client.js'
import { redisFaults, redisWithSentinels } from './redis.js'
import { randomFaults, soakBudget } from './soak.js'

/**
 * Nothing here says that an acknowledged write survives: Redis acknowledges before it replicates, and what a primary has
 * taken alone is thrown away in a failover (see ../redis-failover). These hold all the same.
 */
const C1 = claim('C1', 'An epoch of the configuration of the sentinels names one primary', {
  categories: ['operational'],
  source: 'https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#configuration-epochs',
})
const C2 = claim(
  'C2',
  'Once the faults are over all servers come to hold the same elements, and none that nobody has added',
  {
    categories: ['liveness'],
    source:
      'https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#consistency-under-partitions',
  },
)

const keys = Array.from({ length: 10 }, (_, index) => `k${index}`)

type Elements = Record<string, readonly number[]>

async function everything(client: RedisClient): Promise<Elements> {
  const sets = keys.map(async (key) => [key, await client.elements(key)] as const)
  return Object.fromEntries(await Promise.all(sets))
}

scenario('sentinels_agree_on_one_primary_and_servers_converge_under_random_faults', {
  id: 'S2',
  falsifies: [C1, C2],
  system: redisWithSentinels(),
  workload: workload<RedisClient>({
    clients: 6,
    think: '30ms',
    keys: { count: keys.length },
    operations: {
      add: { run: ({ client, key, value }) => client.add(key, Number(value)) },
      observe: { mutates: false, run: ({ client }) => client.observe() },
    },
    timeout: '1s',
  }),
  nemesis: [randomFaults({ kinds: redisFaults, maxOverlap: 2 })],
  checkers: [
    oneLeaderPerTerm({ group: 'history' }),
    reconciliation<RedisClient>({ dump: ({ client }) => everything(client) }),
    invariant<RedisClient, Elements>('nothing from nowhere', {
      collect: ({ clients }) => everything(clients[0] as RedisClient),
      holds({ state, operations, assert }) {
        const added = new Set(operations.map(({ op_type, key, input }) => `${op_type} ${key} ${input}`))
        for (const [key, elements] of Object.entries(state)) {
          const strangers = elements.filter((element) => !added.has(`add ${key} ${element}`))
          assert(strangers.length === 0, `${key} holds ${strangers.join(', ')}, which nobody has added`)
        }
      },
    }),
  ],
  budget: soakBudget(6),
})
