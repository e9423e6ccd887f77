import { processes, system, type System, type SystemNode } from 'vitest-nemesis'
import { certainlyFailed, RedisClient, type Replication } from './client.js'

export const port = 6379

/** A primary (n1) and its replica (n2), real redis-server processes; `extra` goes on the command line of both. */
export function redisPair(name: string, extra: readonly string[] = []): System<RedisClient> {
  return system(name, {
    nodes: processes({
      command: ({ index, peers, listen, dataDir }) => [
        'redis-server',
        ...['--port', String(listen(port))],
        ...['--bind', '127.0.0.1'],
        ...['--dir', dataDir],
        ...['--save', ''],
        ...['--appendonly', 'no'],
        ...['--repl-ping-replica-period', '1'],
        ...['--repl-diskless-sync-delay', '0'],
        ...(index === 0 ? [] : replicaOf(peers[0])),
        ...extra,
      ],
      count: 2,
      ports: [port],
    }),
    connect: (node) => RedisClient.connect(node.address(port)),
    ready: writeReachesReplica,
    quiesced: async (nodes) => isQuiet(await replications(nodes)),
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
  })
}

function replicaOf(primary: { address(port: number): { host: string; port: number } } | undefined): string[] {
  if (primary === undefined) throw new Error('the replica was given no primary')
  const { host, port: primaryPort } = primary.address(port)
  return ['--replicaof', `${host} ${primaryPort}`]
}

/**
 * The pair serves when a write arrives at the replica. That the replica calls its link up is not enough: the primary
 * holds the stream back until the replica has confirmed the first copy, which it does once a second.
 */
async function writeReachesReplica(nodes: readonly SystemNode[]): Promise<boolean> {
  const primary = (await replications(nodes)).findIndex(({ role }) => role === 'master')
  const node = nodes[primary]
  if (node === undefined) return false
  await withClient(node, (client) => client.setReplicated('ready', 1, 1_000))
  return true
}

function replications(nodes: readonly SystemNode[]): Promise<Replication[]> {
  return Promise.all(nodes.map((node) => withClient(node, (client) => client.replication())))
}

async function withClient<Result>(
  node: SystemNode,
  use: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = await RedisClient.connect(node.address(port))
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

/** One primary, one replica that hears it, and both at the same place in the replication stream. */
function isQuiet([first, second]: readonly Replication[]): boolean {
  if (first === undefined || second === undefined || first.role === second.role) return false
  const replica = first.role === 'slave' ? first : second
  return replica.link === 'up' && !replica.syncing && first.offset === second.offset
}
