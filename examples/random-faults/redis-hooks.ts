import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { NodeHook, SystemNode } from 'vitest-nemesis'
import { connect, fieldOf, isSentinel, port, secrets } from './redis-client.js'

/** The nodes that call themselves primary, of those that answer. */
export async function primaries(nodes: readonly SystemNode[]): Promise<SystemNode[]> {
  return serversThatAre('master', nodes)
}

export async function replicas(nodes: readonly SystemNode[]): Promise<SystemNode[]> {
  return serversThatAre('slave', nodes)
}

async function serversThatAre(role: string, nodes: readonly SystemNode[]): Promise<SystemNode[]> {
  const servers = nodes.filter(({ name }) => !isSentinel(name))
  const answers = await Promise.allSettled(servers.map(replication))
  return servers.filter((_, index) => {
    const answer = answers[index]
    return answer?.status === 'fulfilled' && answer.value.get('role') === role
  })
}

/** One primary, which every sentinel names and every replica follows. */
export async function ready(nodes: readonly SystemNode[]): Promise<boolean> {
  const [primary, ...others] = await primaries(nodes)
  if (primary === undefined || others.length > 0) return false
  const { host } = primary.address(port)
  const servers = nodes.filter(({ name }) => !isSentinel(name))
  const states = await Promise.all(servers.map(replication))
  const followed = states.every(
    (state) =>
      state.get('role') === 'master' ||
      (state.get('master_link_status') === 'up' && state.get('master_host') === host),
  )
  return followed && (await everySentinelNames(host, nodes))
}

async function everySentinelNames(host: string, nodes: readonly SystemNode[]): Promise<boolean> {
  const views = await Promise.all(
    nodes
      .filter(({ name }) => isSentinel(name))
      .map((node) => ask<string[]>(node, (redis) => redis.call('SENTINEL', 'MASTER', 'main'))),
  )
  return views.every(
    (view) =>
      fieldOf(view, 'ip') === host &&
      fieldOf(view, 'flags') === 'master' &&
      fieldOf(view, 'num-slaves') === '2' &&
      fieldOf(view, 'num-other-sentinels') === '2',
  )
}

/** All servers are at the same place of the stream of writes as well. */
export async function quiet(nodes: readonly SystemNode[]): Promise<boolean> {
  const servers = nodes.filter(({ name }) => !isSentinel(name))
  const states = await Promise.all(servers.map(replication))
  const offsets = states.map((state) => state.get('slave_repl_offset') ?? state.get('master_repl_offset'))
  return (await ready(nodes)) && new Set(offsets).size === 1
}

/** For the next one to be restarted: the cluster is as it should be. */
export const wellAgain: NodeHook<boolean> = ({ nodes }) => ready(nodes)

/** The time by the node's own clock; sentinels tell it as well. */
export async function serverTime(node: SystemNode): Promise<number> {
  const info = await ask<string>(node, (redis) => redis.info('server'))
  return Number(/^server_time_usec:(\d+)/m.exec(info)?.[1]) / 1_000
}

/** The state of a replica's link to its primary. */
export const linkOf: NodeHook<string> = async ({ node }) => {
  if (isSentinel(node.name)) return 'sentinel'
  const state = await replication(node)
  return state.get('role') === 'master' ? 'primary' : (state.get('master_link_status') ?? 'unknown')
}

export const setLimit =
  (bytes: string): NodeHook =>
  ({ node }) =>
    ask(node, (redis) => redis.config('SET', 'maxmemory', bytes))

/** Sentinels keep no data, and so have no limit for them. */
export const readLimit: NodeHook<string> = async ({ node }) =>
  isSentinel(node.name)
    ? '0'
    : ((await ask<string[]>(node, (redis) => redis.config('GET', 'maxmemory')))[1] as string)

/** Gives a server another secret, which nobody else is told. */
export const rotateSecret: NodeHook = ({ node }) =>
  ask(node, (redis) => redis.config('SET', 'requirepass', secrets[1]))

/** Also in its file: a failover in the meantime has written the other secret there. */
export const restoreSecret: NodeHook = ({ node }) =>
  ask(node, async (redis) => {
    await redis.config('SET', 'requirepass', secrets[0])
    await redis.config('REWRITE')
  })

/** Ends the links of replicas, which stay open otherwise. */
export const endLinks: NodeHook = ({ node }) =>
  ask(node, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'))

/** Rewrites the log of writes, the compaction of Redis, and waits until that is done. */
export const rewriteLog: NodeHook = ({ node, signal }) =>
  ask(node, async (redis) => {
    await redis.call('BGREWRITEAOF')
    for (;;) {
      const info = await redis.info('persistence')
      if (/^aof_rewrite_in_progress:0/m.test(info) && /^aof_rewrite_scheduled:0/m.test(info)) return
      signal.throwIfAborted()
      await sleep(20)
    }
  })

export const rewrites: NodeHook<number> = async ({ node }) => {
  const info = await ask<string>(node, (redis) => redis.info('persistence'))
  return Number(/^aof_rewrites:(\d+)/m.exec(info)?.[1])
}

async function replication(node: SystemNode): Promise<ReadonlyMap<string, string>> {
  const text = await ask<string>(node, (redis) => redis.info('replication'))
  return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]))
}

/** Asks on a connection of its own. */
async function ask<Answer>(node: SystemNode, question: (redis: Redis) => Promise<unknown>): Promise<Answer> {
  const redis = await connect(node.address(port).host)
  try {
    return (await question(redis)) as Answer
  } finally {
    redis.disconnect()
  }
}
