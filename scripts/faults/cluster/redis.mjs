// A Redis primary with two replicas, and three sentinels where they are wanted; and the hooks by which Redis is driven.
import { Redis } from 'ioredis'
import { system } from '../../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../../dist/src/systems/docker/index.js'
import { processes } from '../../../dist/src/systems/process/processes.js'
import { workload } from '../../../dist/src/workload/index.js'

const port = 6379
export const oldSecret = 'first-secret'
export const newSecret = 'second-secret'

const isSentinel = (name) => name.startsWith('s')

function command({ name, peers, listen, self, dataDir }) {
  const first = name === 'r1' ? self(port) : peers.find((peer) => peer.name === 'r1').address(port)
  const server = ['redis-server', '--port', String(listen(port)), '--dir', dataDir, '--protected-mode', 'no']
  if (!isSentinel(name)) {
    const durable = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0']
    const secret = ['--requirepass', oldSecret, '--masterauth', oldSecret]
    const follow = name === 'r1' ? [] : ['--replicaof', `${first.host} ${first.port}`]
    return [...server, ...durable, ...secret, ...follow]
  }
  // A sentinel writes to its configuration, so it needs a file of its own.
  const lines = [
    `port ${listen(port)}`,
    `dir ${dataDir}`,
    'protected-mode no',
    `sentinel monitor lab ${first.host} ${first.port} 2`,
    `sentinel auth-pass lab ${oldSecret}`,
    'sentinel down-after-milliseconds lab 1000',
    'sentinel failover-timeout lab 3000',
  ]
  const script = 'file=$0; printf "%s\\n" "$@" > "$file"; exec redis-server "$file" --sentinel'
  return ['/bin/sh', '-c', script, `${dataDir}/sentinel.conf`, ...lines]
}

const replicas = { names: ['r1', 'r2', 'r3'], count: 3 }
const withSentinels = { names: ['r1', 'r2', 'r3', 's1', 's2', 's3'], count: 6 }

export const redisPlaces = {
  processes: ({ sentinels = false } = {}) => {
    const { names, count } = sentinels ? withSentinels : replicas
    return processes({ names: (index) => names[index], count, ports: [port], command, network: 'namespaces' })
  },
  'processes behind the proxy': () =>
    processes({ names: (index) => replicas.names[index], count: 3, ports: [port], command }),
  containers: ({ sentinels = false } = {}) =>
    docker({
      ...(sentinels ? withSentinels : replicas),
      ports: [port],
      command,
      image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
    }),
}

export function redis(nodes) {
  return system('redis', {
    nodes,
    connect: open,
    ready: async (all) => {
      const states = await Promise.all(all.filter(({ name }) => !isSentinel(name)).map(replication))
      const primaries = states.filter(({ role }) => role === 'master')
      const followed = states.every(
        ({ role, master_link_status: link }) => role === 'master' || link === 'up',
      )
      return primaries.length === 1 && followed && (await sentinelsAgree(all))
    },
    roles: { leader: primariesOf },
    settle: '60s',
  })
}

let written = 0

export const redisWrites = workload({
  clients: 6,
  think: '10ms',
  timeout: '1s',
  operations: {
    write: {
      run: async ({ client }) => {
        // Replicas refuse to write and sentinels hold no data; whoever is asked there asks for life only.
        await client.set(`k${(written += 1) % 50}`, 'x').catch((error) => {
          if (!/READONLY|unknown command/.test(error.message)) throw error
        })
      },
    },
  },
})

/** The nodes that call themselves primary, of those that answer. */
export async function primariesOf(nodes) {
  const servers = nodes.filter(({ name }) => !isSentinel(name))
  const answers = await Promise.allSettled(servers.map(replication))
  return servers.filter((_, index) => answers[index].value?.role === 'master')
}

async function sentinelsAgree(nodes) {
  const answers = await Promise.all(
    nodes.filter(({ name }) => isSentinel(name)).map((node) => ask(node, 'SENTINEL', 'master', 'lab')),
  )
  return answers.every((list) => {
    const field = (name) => list[list.indexOf(name) + 1]
    return field('num-slaves') === '2' && field('num-other-sentinels') === '2'
  })
}

/** The state of a replica's link to its primary; `primary` for the primary itself. */
export async function linkOf({ node }) {
  const state = await replication(node)
  return state.role === 'master' ? 'primary' : state.master_link_status
}

export const setConfig =
  (name, value) =>
  ({ node }) =>
    ask(node, 'CONFIG', 'SET', name, value)

export const getConfig =
  (name) =>
  async ({ node }) =>
    (await ask(node, 'CONFIG', 'GET', name))[1]

/** Gives the primary another secret, which its replicas do not know. */
export const rotate = ({ node }) => ask(node, 'CONFIG', 'SET', 'requirepass', newSecret)
export const restore = ({ node }) => ask(node, 'CONFIG', 'SET', 'requirepass', oldSecret)
/** Ends the replicas' links, which would stay up. */
export const endLinks = ({ node }) => ask(node, 'CLIENT', 'KILL', 'TYPE', 'replica')

/** Starts to rewrite the log of writes: the compaction of Redis. */
export const rewriteLog = ({ node }) => ask(node, 'BGREWRITEAOF')

export async function rewrites({ node }) {
  const [, count] = /^aof_rewrites:(\d+)/m.exec(await ask(node, 'INFO', 'persistence')) ?? []
  return Number(count)
}

export async function replication(node) {
  const text = await ask(node, 'INFO', 'replication')
  return Object.fromEntries(text.split('\r\n').map((line) => line.split(':', 2)))
}

/** Asks on a connection of its own. */
async function ask(node, ...command) {
  const client = await open(node)
  try {
    return await client.call(...command)
  } finally {
    client.disconnect()
  }
}

/** Connects, and logs in with whichever secret the node takes. */
async function open(node) {
  const { host, port: at } = node.address(port)
  const client = new Redis({
    host,
    port: at,
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 2_000,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    if (!isSentinel(node.name)) {
      await client.auth(oldSecret).catch((error) => {
        if (!error.message.startsWith('WRONGPASS')) throw error
        return client.auth(newSecret)
      })
    }
    return client
  } catch (error) {
    client.disconnect()
    throw error
  }
}
