// The cluster faults, on three members of etcd, on Redis with its replicas and sentinels, and on a server of two releases.
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import * as etcd from './cluster/etcd.mjs'
import * as redis from './cluster/redis.mjs'
import * as releases from './cluster/releases.mjs'
import { exercise } from './harness.mjs'

const window = { at: '1s', for: '3s' }

const systems = {
  etcd: { on: (place) => etcd.etcd(etcd.etcdPlaces[place]()), workload: etcd.etcdWrites },
  redis: { on: (place) => redis.redis(redis.redisPlaces[place]()), workload: redis.redisWrites },
  'redis with sentinels': {
    on: (place) => redis.redis(redis.redisPlaces[place]({ sentinels: true })),
    workload: redis.redisWrites,
  },
  'a server of two releases': {
    on: (place) => releases.releases(releases.releasesPlaces[place]()),
    workload: releases.releasesTraffic,
  },
}

/** A row for each place; `declare` is called when the row is run. */
const on = (what, places, declare, { how = '', shows } = {}) => {
  const { definition } = declare()
  return places.map((place) => ({
    fault: definition.name,
    mechanism: `${how === '' ? '' : `${how}, `}${what}, ${place}`,
    run: () =>
      exercise(declare(), {
        on: systems[what].on(place),
        workload: systems[what].workload,
        shows: (window) => shows.flatMap((signal) => telling(window, signal)),
      }),
  }))
}

/** The reading of a signal that changed, else any. */
function telling({ evidence, healed }, signal) {
  const readings = [...evidence, ...healed].filter((item) => signal.test(item.signal))
  return readings.find(({ before, after }) => before !== after) ?? readings[0] ?? []
}

const both = ['processes', 'containers']
const two = 'a server of two releases'
const sentinels = 'redis with sentinels'

const toVersion2 = {
  upgrade: releases.install('2.0'),
  version: releases.version,
  downgrade: releases.install('1.0'),
}

export default [
  ...on('etcd', both, () => nemesis('rolling-restart', { order: 'leader-first', at: '1s' }), {
    how: 'leader first',
    shows: [/turn/, /start time/, /connect to its port/],
  }),
  ...on(
    'etcd',
    ['containers'],
    () =>
      nemesis('rolling-restart', {
        order: 'followers-first',
        wait: etcd.follows,
        at: '1s',
      }),
    { how: 'followers first', shows: [/turn/, /well again/, /connect to its port/] },
  ),
  ...on(
    sentinels,
    both,
    () =>
      nemesis('split-brain', {
        leaders: ({ nodes }) => redis.primariesOf(nodes),
        landWithin: '12s',
        ...window,
      }),
    { shows: [/dropped/, /leaders at one time/, /call themselves/] },
  ),
  ...on(
    'etcd',
    both,
    () =>
      nemesis('split-brain', { leaders: ({ nodes }) => etcd.leadersOf(nodes), landWithin: '10s', ...window }),
    { shows: [/dropped/, /leaders at one time/, /call themselves/] },
  ),
  ...on(
    'etcd',
    both,
    () =>
      nemesis('slow-follower', {
        node: 'follower',
        // On a busy machine a follower is far behind without any fault.
        paused: '10s',
        lag: etcd.behind,
        ...window,
      }),
    {
      how: 'pauses',
      shows: [/pauses/, /^lag \(/],
    },
  ),
  ...on(
    'etcd',
    both,
    () =>
      nemesis('slow-follower', {
        node: 'follower',
        by: 'latency',
        delay: '400ms',
        lag: etcd.behind,
        landWithin: '10s',
        ...window,
      }),
    { how: 'latency', shows: [/delayed/, /^lag \(/] },
  ),
  ...on(
    'etcd',
    both,
    () =>
      nemesis('slow-follower', {
        node: 'follower',
        by: 'cpu',
        cpus: 0.01,
        lag: etcd.behind,
        landWithin: '10s',
        ...window,
      }),
    { how: 'CPU quota', shows: [/CPU time was used up/, /^lag \(/] },
  ),
  ...on(
    two,
    both,
    () =>
      nemesis('mixed-version', {
        node: 'n2',
        ...toVersion2,
        ...window,
      }),
    { shows: [/upgrade/, /version/] },
  ),
  ...on(
    two,
    both,
    () =>
      nemesis('rolling-upgrade', {
        order: 'leader-first',
        ...toVersion2,
        ...window,
      }),
    { shows: [/turn/, /version/] },
  ),
  ...on(
    'redis',
    [...both, 'processes behind the proxy'],
    () =>
      nemesis('config-divergence', {
        node: 'r2',
        apply: redis.setConfig('maxmemory', '15000000'),
        read: redis.getConfig('maxmemory'),
        restore: redis.setConfig('maxmemory', '0'),
        ...window,
      }),
    { shows: [/apply/, /configuration/] },
  ),
  ...on(
    'redis',
    [...both, 'processes behind the proxy'],
    () =>
      nemesis('credential-divergence', {
        node: 'leader',
        rotate: redis.rotate,
        restore: redis.restore,
        reconnect: redis.endLinks,
        link: redis.linkOf,
        ...window,
      }),
    { shows: [/rotate/, /link/] },
  ),
  ...on(
    'etcd',
    both,
    () =>
      nemesis('compaction', {
        node: 'leader',
        trigger: etcd.compact,
        progress: etcd.keysCompacted,
        at: '2s',
      }),
    { shows: [/trigger/, /progress/] },
  ),
  ...on(
    'redis',
    both,
    () =>
      nemesis('compaction', {
        node: 'leader',
        trigger: redis.rewriteLog,
        progress: redis.rewrites,
        at: '2s',
      }),
    { shows: [/trigger/, /progress/] },
  ),
  ...on(
    'etcd',
    ['processes, one to spare'],
    () =>
      nemesis('reconfiguration', {
        change: 'add',
        node: 'n4',
        add: etcd.addSpare,
        remove: etcd.removeMember,
        members: etcd.members,
        hookTimeout: '25s',
        landWithin: '10s',
        ...window,
      }),
    { how: 'add', shows: [/add\(\)/, /^members$/] },
  ),
  ...['remove', 'replace'].flatMap((change) =>
    on(
      'etcd',
      both,
      () =>
        nemesis('reconfiguration', {
          change,
          node: 'follower',
          add: etcd.addMember,
          remove: etcd.removeMember,
          members: etcd.members,
          hookTimeout: '25s',
          landWithin: '10s',
          ...window,
        }),
      { how: change, shows: [/remove\(\)/, /members after/, /^members$/] },
    ),
  ),
]
