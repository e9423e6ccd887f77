import { system, type System, type SystemNode } from 'vitest-nemesis'
import { docker, imageFromHost } from 'vitest-nemesis/docker'
import { EtcdClient, type EtcdStatus } from './client.js'

const clientPort = 2379
const peerPort = 2380

/** Three members of etcd in containers, from the etcd of this machine: no registry is asked for an image. */
export function etcdCluster(name: string): System<EtcdClient> {
  return system(name, {
    nodes: docker({
      image: imageFromHost({ tag: 'nemesis-example-etcd', binaries: ['etcd'] }),
      count: 3,
      ports: [clientPort, peerPort],
      command: ({ name, peers, self, dataDir }) => [
        'etcd',
        ...['--name', name],
        ...['--data-dir', `${dataDir}/etcd`],
        ...['--listen-client-urls', `http://0.0.0.0:${clientPort}`],
        ...['--advertise-client-urls', `http://${self(clientPort)}`],
        ...['--listen-peer-urls', `http://0.0.0.0:${peerPort}`],
        ...['--initial-advertise-peer-urls', `http://${self(peerPort)}`],
        '--initial-cluster',
        [`${name}=http://${self(peerPort)}`]
          .concat(peers.map((peer) => `${peer.name}=http://${peer.address(peerPort)}`))
          .join(),
        ...['--heartbeat-interval', '100'],
        ...['--election-timeout', '1000'],
        ...['--logger', 'zap'],
      ],
    }),
    connect: (node) => new EtcdClient(node.address(clientPort)),
    ready: async (nodes) => agreeOnLeader(await statuses(nodes)),
    quiesced: async (nodes) => isQuiet(await statuses(nodes)),
    roles: { leader: leaderOf },
  })
}

/** The member that most recently became leader, among those that answer. Null when no majority follows one. */
async function leaderOf(nodes: readonly SystemNode[]): Promise<SystemNode | null> {
  const answers = await Promise.allSettled(nodes.map(statusOf))
  const known = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))
  const term = Math.max(...known.map((status) => status?.term ?? 0))
  const index = known.findIndex((status) => status?.term === term && status.leader === status.member)
  return nodes[index] ?? null
}

function statuses(nodes: readonly SystemNode[]): Promise<EtcdStatus[]> {
  return Promise.all(nodes.map(statusOf))
}

async function statusOf(node: SystemNode): Promise<EtcdStatus> {
  const client = new EtcdClient(node.address(clientPort))
  try {
    return await client.status({ signal: AbortSignal.timeout(1_000) })
  } finally {
    client.close()
  }
}

function agreeOnLeader(all: readonly EtcdStatus[]): boolean {
  return new Set(all.map(({ leader }) => leader)).size === 1 && all[0]?.leader !== '0'
}

/** Everybody follows the same leader and has applied the same writes. */
function isQuiet(all: readonly EtcdStatus[]): boolean {
  return agreeOnLeader(all) && new Set(all.map(({ revision }) => revision)).size === 1
}
