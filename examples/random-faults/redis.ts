import { nemesis, system, type Nemesis, type System } from 'vitest-nemesis'
import { docker, imageFromHost } from 'vitest-nemesis/docker'
import { certainlyFailed, isSentinel, openClient, port, type RedisClient } from './redis-client.js'
import {
  endLinks,
  linkOf,
  primaries,
  ready,
  quiet,
  readLimit,
  replicas,
  restoreSecret,
  rewriteLog,
  rewrites,
  rotateSecret,
  serverTime,
  setLimit,
  wellAgain,
} from './redis-hooks.js'

const servers = ['r1', 'r2', 'r3']
const sentinels = ['s1', 's2', 's3']

/** Sentinels and servers keep what they learn, who is primary above all, in a file of configuration of their own. */
const startScript =
  'file=$0; test -s "$file" || printf "%s\\n" "$@" > "$file"; exec redis-server "$file" $REDIS_MODE'

/** A Redis primary, two replicas and three sentinels in containers, each on a disk that can lose its power. */
export function redisWithSentinels(): System<RedisClient> {
  return system('redis-sentinel', {
    nodes: docker({
      image: imageFromHost({ tag: 'nemesis-example-redis', binaries: ['redis-server'] }),
      count: servers.length + sentinels.length,
      names: [...servers, ...sentinels],
      ports: [port],
      disk: 'fuse',
      env: ({ name }) => ({ REDIS_MODE: isSentinel(name) ? '--sentinel' : '' }),
      command: ({ name, self, peers, dataDir }) => {
        const first = name === 'r1' ? self(port) : peers.find((peer) => peer.name === 'r1')?.address(port)
        const lines = isSentinel(name) ? sentinelLines(first?.host) : serverLines(name, first?.host)
        return [
          ...['/bin/sh', '-c', startScript, `${dataDir}/redis.conf`],
          ...[`port ${port}`, `dir ${dataDir}`, 'protected-mode no'],
          ...lines,
        ]
      },
    }),
    connect: openClient,
    ready,
    quiesced: quiet,
    roles: {
      leader: primaries,
      replica: async (nodes) => (await replicas(nodes)).slice(0, 1),
    },
    clock: serverTime,
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
    settle: '90s',
  })
}

function serverLines(name: string, first = ''): string[] {
  return [
    ...['appendonly yes', 'appendfsync everysec', 'save ""'],
    ...['requirepass first-secret', 'masterauth first-secret'],
    ...['repl-diskless-sync-delay 0', 'repl-ping-replica-period 1', 'repl-timeout 5'],
    ...(name === 'r1' ? [] : [`replicaof ${first} ${port}`]),
  ]
}

function sentinelLines(first = ''): string[] {
  return [
    `sentinel monitor main ${first} ${port} 2`,
    'sentinel auth-pass main first-secret',
    'sentinel down-after-milliseconds main 2000',
    'sentinel failover-timeout main 5000',
  ]
}

/** Each look at the links between six nodes and their clients takes a while. */
const landWithin = '25s'

/** Every fault of the taxonomy that Redis and its sentinels can come back from; see README.md for the others. */
export const redisFaults: readonly Nemesis[] = [
  nemesis('kill', { node: 'random' }),
  nemesis('stop', { node: 'random' }),
  nemesis('pause', { node: 'random' }),
  nemesis('restart', { node: 'random' }),
  nemesis('partition', { isolate: 'random', landWithin }),
  nemesis('asymmetric-partition', { from: 'leader', to: 'others', landWithin }),
  nemesis('packet-loss', { on: 'random', share: 0.3, landWithin }),
  nemesis('latency', { on: 'random', delay: '80ms', jitter: '20ms', landWithin }),
  nemesis('bandwidth', { between: ['leader', 'replica'], rate: '8kbit', landWithin }),
  // Sentinels write to their disks in elections only, so storage faults are aimed at the servers.
  nemesis('disk-full', { node: 'leader' }),
  nemesis('power-loss', { node: 'random' }),
  nemesis('slow-disk', { node: 'leader', delay: '300ms' }),
  nemesis('fsync-failure', { node: 'leader', restart: true }),
  nemesis('corruption', {
    node: 'replica',
    file: 'appendonlydir/*.incr.aof',
    flip: 1,
    offset: 0,
    landWithin,
  }),
  nemesis('clock-skew', { node: 'replica', offset: '-1h' }),
  nemesis('clock-rate', { node: 'leader', factor: 0.5 }),
  nemesis('rolling-restart', { order: 'followers-first', wait: wellAgain, landWithin }),
  nemesis('split-brain', { leaders: ({ nodes }) => primaries(nodes), landWithin }),
  nemesis('slow-follower', { node: 'replica', landWithin }),
  nemesis('config-divergence', {
    node: 'replica',
    apply: setLimit('15000000'),
    read: readLimit,
    restore: setLimit('0'),
  }),
  nemesis('credential-divergence', {
    node: 'leader',
    rotate: rotateSecret,
    restore: restoreSecret,
    reconnect: endLinks,
    link: linkOf,
  }),
  nemesis('compaction', { node: 'leader', trigger: rewriteLog, progress: rewrites }),
]
