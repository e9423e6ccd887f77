import { claim, scenario, workload, type Operation } from 'vitest-nemesis'
import { invariant } from 'vitest-nemesis/checkers'
import type { Observation, RedisClient } from './redis-client.js'
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

const onePrimaryInAnEpoch = invariant<RedisClient>('one primary in an epoch', {
  holds({ operations, assert }) {
    const named = new Map<number, { readonly leader: string; readonly op: Operation['op_id'] }>()
    for (const { op_id: op, op_type, output } of operations) {
      if (op_type !== 'observe' || output === null || typeof output !== 'object') continue
      const { leader, term } = output as unknown as Observation
      const first = named.get(term) ?? { leader, op }
      named.set(term, first)
      assert(leader === first.leader, `epoch ${term} names ${first.leader} and ${leader}`, [first.op, op])
    }
  },
})

const serversConverge = invariant<RedisClient, Elements[]>('servers hold the same', {
  collect: ({ clients }) => Promise.all(clients.map(everything)),
  holds({ state: [first, ...others], operations, assert }) {
    const added = new Set(
      operations.flatMap(({ op_type, key, input }) => (op_type === 'add' ? [`${key} ${input}`] : [])),
    )
    for (const [key, elements] of Object.entries(first ?? {})) {
      const strangers = elements.filter((element) => !added.has(`${key} ${element}`))
      assert(strangers.length === 0, `${key} holds ${strangers.join(', ')}, which nobody has added`)
      for (const other of others) {
        assert(String(other[key]) === String(elements), `two servers hold different elements of ${key}`)
      }
    }
  },
})

scenario('sentinels_agree_on_one_primary_and_servers_converge_under_random_faults', {
  id: 'S2',
  falsifies: [C1, C2],
  system: redisWithSentinels(),
  workload: workload<RedisClient>({
    clients: 12,
    think: '50ms',
    keys: { count: keys.length },
    operations: {
      add: { run: ({ client, key, value }) => client.add(key, Number(value)) },
      observe: { mutates: false, run: ({ client }) => client.observe() },
    },
    timeout: '1s',
  }),
  nemesis: [randomFaults({ kinds: redisFaults, maxOverlap: 2 })],
  checkers: [onePrimaryInAnEpoch, serversConverge],
  budget: soakBudget(6),
  // Draws nearly every kind in ten minutes, and some that are soon over at first.
  seed: 11254,
})
