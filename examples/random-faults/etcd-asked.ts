import type { NodeHook, SystemNode } from 'vitest-nemesis'
import { EtcdClient, type EtcdStatus } from '../etcd-docker/client.js'

export const clientPort = 2379
export const peerPort = 2380

/** What a member says of itself. Throws when it does not answer within a second. */
export async function statusOf(node: SystemNode): Promise<EtcdStatus> {
  const client = new EtcdClient(node.address(clientPort))
  try {
    return await client.status({ signal: AbortSignal.timeout(1_000) })
  } finally {
    client.close()
  }
}

/** The members that call themselves leader, of those that answer. */
export async function leaders(nodes: readonly SystemNode[]): Promise<SystemNode[]> {
  const answers = await Promise.allSettled(nodes.map(statusOf))
  return nodes.filter((_, index) => {
    const answer = answers[index]
    return answer?.status === 'fulfilled' && leads(answer.value)
  })
}

/** All members that do not lead. */
export async function followers(nodes: readonly SystemNode[]): Promise<SystemNode[]> {
  const leading = await leaders(nodes)
  return leading.length === 0 ? [] : nodes.filter((node) => !leading.includes(node))
}

/** True when the member follows a leader, or leads. */
export const follows: NodeHook<boolean> = async ({ node }) => (await statusOf(node)).leader !== '0'

/** All members follow the same leader. */
export async function ready(nodes: readonly SystemNode[]): Promise<boolean> {
  const all = await Promise.all(nodes.map(statusOf))
  return new Set(all.map(({ leader }) => leader)).size === 1 && all.some(leads)
}

/** They have applied the same writes as well. */
export async function quiet(nodes: readonly SystemNode[]): Promise<boolean> {
  const all = await Promise.all(nodes.map(statusOf))
  return (await ready(nodes)) && new Set(all.map(({ revision }) => revision)).size === 1
}

/** The time by the member's own clock, in whole seconds: the date of an HTTP answer. */
export async function serverTime(node: SystemNode): Promise<number> {
  const { headers } = await fetch(`http://${node.address(clientPort)}/version`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(3_000),
  })
  return Date.parse(headers.get('date') ?? '')
}

function leads({ leader, member }: EtcdStatus): boolean {
  return leader !== '0' && leader === member
}
