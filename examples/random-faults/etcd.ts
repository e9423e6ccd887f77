import { nemesis, system, type Nemesis, type System, type SystemNode } from 'vitest-nemesis'
import { docker, imageFromHost } from 'vitest-nemesis/docker'
import { EtcdClient } from '../etcd-docker/client.js'
import { clientPort, follows, followers, leaders, peerPort, ready, quiet, serverTime } from './etcd-asked.js'
import { addMember, behind, compact, joinsFile, keysCompacted, members, removeMember } from './etcd-hooks.js'

/**
 * A member that was taken out of the cluster joins it anew with nothing of what it had: the file `joins`, written by the
 * hook that takes it out, holds the name of its next data directory.
 */
const startScript = [
  'state=new; data=etcd',
  `test -s "$0/${joinsFile}" && state=existing && data=$(cat "$0/${joinsFile}")`,
  'exec "$@" --data-dir "$0/$data" --initial-cluster-state "$state"',
].join('\n')

/** Three members of etcd in containers, each on a disk that can lose its power. */
export function etcdCluster(): System<EtcdClient> {
  return system('etcd', {
    nodes: docker({
      image: imageFromHost({ tag: 'nemesis-example-etcd', binaries: ['etcd'] }),
      count: 3,
      ports: [clientPort, peerPort],
      disk: 'fuse',
      command: ({ name, peers, self, dataDir }) => [
        ...['/bin/sh', '-c', startScript, dataDir],
        ...['etcd', '--name', name, '--logger', 'zap', '--log-level', 'warn'],
        ...['--listen-client-urls', `http://0.0.0.0:${clientPort}`],
        ...['--advertise-client-urls', `http://${self(clientPort)}`],
        ...['--listen-peer-urls', `http://0.0.0.0:${peerPort}`],
        ...['--initial-advertise-peer-urls', `http://${self(peerPort)}`],
        '--initial-cluster',
        [`${name}=http://${self(peerPort)}`]
          .concat(peers.map((peer) => `${peer.name}=http://${peer.address(peerPort)}`))
          .join(),
        ...['--heartbeat-interval', '100', '--election-timeout', '1000'],
      ],
    }),
    connect: (node) => new EtcdClient(node.address(clientPort)),
    ready,
    quiesced: quiet,
    roles: { leader: leaders, follower: async (nodes) => (await followers(nodes)).slice(0, 1) },
    clock: serverTime,
    settle: '60s',
  })
}

const leader = ({ nodes }: { readonly nodes: readonly SystemNode[] }) => leaders(nodes)

/** How long a fault may take to show when the machine is busy with other things. */
const landWithin = '20s'

/** Every fault of the taxonomy that etcd can come back from by itself, or by its own means; see README.md for the others. */
export const etcdFaults: readonly Nemesis[] = [
  nemesis('kill', { node: 'random' }),
  nemesis('stop', { node: 'random' }),
  nemesis('pause', { node: 'random' }),
  nemesis('restart', { node: 'random' }),
  nemesis('partition', { isolate: 'random', landWithin }),
  nemesis('asymmetric-partition', { from: 'leader', to: 'others', landWithin }),
  nemesis('packet-loss', { on: 'random', share: 0.3, landWithin }),
  nemesis('latency', { on: 'random', delay: '80ms', jitter: '20ms', landWithin }),
  nemesis('bandwidth', { on: 'random', rate: '64kbit', landWithin }),
  nemesis('power-loss', { node: 'random' }),
  nemesis('slow-disk', { node: 'random', delay: '300ms' }),
  nemesis('fsync-failure', { node: 'random' }),
  // Of its database, not of its log: of that it cuts off what it cannot read, and forgets what it has acknowledged.
  nemesis('corruption', {
    node: 'random',
    file: '**/member/snap/db',
    overwrite: 8192,
    offset: 0,
    landWithin,
  }),
  // etcd tells its time in whole seconds, so it takes a while until a slow clock shows.
  nemesis('clock-skew', { node: 'random', offset: '-1h' }),
  nemesis('clock-rate', { node: 'random', factor: 0.25, landWithin: '25s' }),
  nemesis('rolling-restart', { order: 'followers-first', wait: follows, landWithin }),
  nemesis('split-brain', { leaders: leader, landWithin }),
  nemesis('slow-follower', { node: 'follower', lag: behind, landWithin }),
  nemesis('compaction', { node: 'leader', trigger: compact, progress: keysCompacted }),
  nemesis('reconfiguration', {
    change: 'replace',
    node: 'follower',
    add: addMember,
    remove: removeMember,
    members,
    hookTimeout: '25s',
    landWithin,
  }),
]
