import type { ClusterHook, NodeHook, SystemNode } from 'vitest-nemesis'
import { clientPort, peerPort, statusOf } from './etcd-asked.js'

/** In the data directory of a member that was taken out: the name of the directory in which it begins anew. */
export const joinsFile = 'joins'
/** Where containers have their data. */
const dataDir = '/data'

/** The most that a follower can lack counts from what was last known of each member: a paused one does not answer. */
const lastApplied = new Map<string, number>()

/** By how many entries a member is behind the one that has most. */
export const behind: NodeHook<number> = async ({ node, nodes }) => {
  const look = async (one: SystemNode) => lastApplied.set(one.name, await appliedBy(one))
  await Promise.allSettled(nodes.map(look))
  return Math.max(...nodes.map(({ name }) => lastApplied.get(name) ?? 0)) - (lastApplied.get(node.name) ?? 0)
}

async function appliedBy(node: SystemNode): Promise<number> {
  const answer = await post(node, '/v3/maintenance/status', {}, AbortSignal.timeout(50))
  return Number((answer as { raftAppliedIndex?: string }).raftAppliedIndex ?? 0)
}

/** Compacts what was written so far and waits until the keys are gone. */
export const compact: NodeHook<string> = async ({ node, signal }) => {
  const revision = (await statusOf(node)).revision - 1
  await post(node, '/v3/kv/compaction', { revision: String(revision), physical: true }, signal)
  return `compacted up to revision ${revision}`
}

export const keysCompacted: NodeHook<number> = async ({ node, signal }) => {
  const answer = await fetch(`http://${node.address(clientPort)}/metrics`, { signal })
  const line = /^etcd_debugging_mvcc_db_compaction_keys_total (\S+)$/m.exec(await answer.text())
  return Number(line?.[1] ?? 0)
}

export const members: ClusterHook<string[]> = async ({ nodes, signal }) => {
  return (await memberList(nodes, signal)).map(({ name, ID }) => `${name || 'unstarted'} (${ID})`)
}

/** Takes a member out of the cluster; its process ends by itself, and joins anew when it is started again. */
export const removeMember: NodeHook<string> = async ({ node, nodes, exec, signal }) => {
  const known = (await memberList(nodes, signal)).find(({ peerURLs }) => peerURLs.includes(peerUrl(node)))
  if (known === undefined) return 'was out already'
  await exec.run(node.name, ['tee', `${dataDir}/${joinsFile}`], { input: `joined-after-${known.ID}` })
  await ofAny(othersOf(node, nodes), signal, (one) =>
    post(one, '/v3/cluster/member/remove', { ID: known.ID }, AbortSignal.timeout(2_000)),
  )
  return known.ID
}

/** Puts the member in again and starts it. */
export const addMember: NodeHook<string> = async ({ node, nodes, whileDown, signal }) => {
  const peerURLs = [peerUrl(node)]
  if ((await memberList(nodes, signal)).some(({ name }) => name === node.name)) return 'was in already'
  // etcd refuses changes of the membership for some seconds after a member was away.
  await ofAny(othersOf(node, nodes), signal, (one) =>
    post(one, '/v3/cluster/member/add', { peerURLs }, AbortSignal.timeout(2_000)),
  )
  await whileDown(() => {})
  return peerURLs.join()
}

interface Member {
  readonly ID: string
  /** Empty until it has started. */
  readonly name?: string
  readonly peerURLs: readonly string[]
}

async function memberList(nodes: readonly SystemNode[], signal: AbortSignal): Promise<readonly Member[]> {
  const answer = await ofAny(nodes, signal, (one) =>
    post(one, '/v3/cluster/member/list', {}, AbortSignal.timeout(1_000)),
  )
  return (answer as { members: Member[] }).members
}

function peerUrl(node: SystemNode): string {
  return `http://${node.address(peerPort)}`
}

function othersOf(node: SystemNode, nodes: readonly SystemNode[]): readonly SystemNode[] {
  return nodes.filter((one) => one !== node)
}

/** The first good answer of any member, until the signal aborts. */
async function ofAny(
  nodes: readonly SystemNode[],
  signal: AbortSignal,
  ask: (node: SystemNode) => Promise<unknown>,
): Promise<unknown> {
  for (;;) {
    let last: unknown
    for (const node of nodes) {
      try {
        return await ask(node)
      } catch (error) {
        last = error
      }
    }
    if (signal.aborted) throw last
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function post(node: SystemNode, path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(`http://${node.address(clientPort)}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${text}`)
  return JSON.parse(text)
}
