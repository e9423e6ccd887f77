// Three members of etcd, what they are asked, and the hooks by which etcd itself is driven.
import { join } from 'node:path'
import { system } from '../../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../../dist/src/systems/docker/index.js'
import { processes } from '../../../dist/src/systems/process/processes.js'
import { workload } from '../../../dist/src/workload/index.js'

const clientPort = 2379
const peerPort = 2380

/** Data directories, by member; in containers they are all called the same. */
const dataDirs = new Map()
/** The last entry of its log that each member was seen to have. */
const seen = new Map()

/** The fourth node is no member until it is put in, and waits for that. */
const spare = 'n4'

function command({ name, peers, self, dataDir }) {
  dataDirs.set(name, dataDir)
  const first = peers.filter((peer) => peer.name !== spare)
  const members = [`${name}=http://${self(peerPort)}`].concat(
    first.map((peer) => `${peer.name}=http://${peer.address(peerPort)}`),
  )
  const etcd = [
    ...[
      'etcd',
      '--name',
      name,
      '--data-dir',
      join(dataDir, 'etcd'),
      '--logger',
      'zap',
      '--log-level',
      'warn',
    ],
    ...['--listen-client-urls', `http://0.0.0.0:${clientPort}`],
    ...['--advertise-client-urls', `http://${self(clientPort)}`],
    ...['--listen-peer-urls', `http://0.0.0.0:${peerPort}`],
    ...['--initial-advertise-peer-urls', `http://${self(peerPort)}`],
    ...['--initial-cluster', members.join()],
    ...['--heartbeat-interval', '100', '--election-timeout', '1000'],
  ]
  // A member that was taken out joins a cluster that exists, with nothing of what it had; the file says so.
  const script = [
    ...(name === spare ? ['until test -e "$0/joins"; do sleep 0.1; done'] : []),
    'state=new; data=etcd',
    'test -e "$0/joins" && state=existing && data=joined',
    'exec "$@" --data-dir "$0/$data" --initial-cluster-state "$state"',
  ].join('\n')
  return ['/bin/sh', '-c', script, dataDir, ...etcd]
}

const common = { count: 3, ports: [clientPort, peerPort], command }

export const etcdPlaces = {
  'processes, one to spare': () => processes({ ...common, count: 4, network: 'namespaces' }),
  processes: () => processes({ ...common, network: 'namespaces' }),
  containers: () =>
    docker({ ...common, image: imageFromHost({ tag: 'nemesis-test-etcd', binaries: ['etcd'] }) }),
}

export function etcd(nodes) {
  seen.clear()
  return system('etcd', {
    nodes,
    connect: (node) => node,
    close: () => {},
    ready: (all) => agreed(all.filter(({ name }) => name !== spare)),
    roles: {
      leader: leadersOf,
      follower: async (all) => {
        const leaders = await leadersOf(all)
        return all.filter((node) => !leaders.includes(node)).slice(0, 1)
      },
    },
    settle: '40s',
  })
}

let written = 0

export const etcdWrites = workload({
  clients: 6,
  think: '10ms',
  timeout: '1s',
  operations: {
    write: { run: async ({ client, signal }) => void (await put(client, `k${(written += 1) % 50}`, signal)) },
  },
})

/** The members that call themselves leader, of those that answer. */
export async function leadersOf(nodes) {
  const answers = await Promise.allSettled(nodes.map((node) => status(node)))
  return nodes.filter((_, index) => {
    const { value } = answers[index]
    return value !== undefined && value.leader !== '0' && value.leader === value.member
  })
}

async function agreed(nodes) {
  const all = await Promise.all(nodes.map((node) => status(node)))
  return all[0].leader !== '0' && new Set(all.map(({ leader }) => leader)).size === 1
}

/** True when the node follows a leader again. */
export async function follows({ node }) {
  return (await status(node)).leader !== '0'
}

/**
 * Entries of the log that the leader has and the follower was not seen to have: one that is stopped cannot be asked, and
 * has what it had.
 */
export async function behind({ node, nodes }) {
  const entryOf = async (one) => seen.set(one.name, (await status(one, AbortSignal.timeout(50))).index)
  await Promise.allSettled(nodes.map(entryOf))
  return Math.max(...nodes.map(({ name }) => seen.get(name) ?? 0)) - (seen.get(node.name) ?? 0)
}

/** Compacts everything that was written so far, and waits until the keys are gone. */
export async function compact({ node, signal }) {
  const { revision } = await status(node)
  await post(node, '/v3/kv/compaction', { revision: String(revision - 1), physical: true }, signal)
  return `compacted up to revision ${revision - 1}`
}

export async function keysCompacted({ node, signal }) {
  const answer = await fetch(`http://${node.address(clientPort)}/metrics`, { signal })
  const line = /^etcd_debugging_mvcc_db_compaction_keys_total (\S+)$/m.exec(await answer.text())
  return Number(line?.[1] ?? 0)
}

export async function members({ nodes, signal }) {
  return (await memberList(nodes, signal)).map(({ name, ID }) => `${name || 'unstarted'} (${ID})`)
}

/** Takes the member out of the membership; its process ends by itself. It will join anew when it is started again. */
export async function removeMember({ node, nodes, exec, signal }) {
  // One that has not started yet has no name.
  const known = (await memberList(nodes, signal)).find(({ peerURLs }) =>
    peerURLs.includes(`http://${node.address(peerPort)}`),
  )
  if (known === undefined) return 'was out already'
  await exec.run(node.name, ['tee', join(dataDirs.get(node.name), 'joins')], { input: 'anew' })
  await ofAny(others(node, nodes), (one) =>
    post(one, '/v3/cluster/member/remove', { ID: known.ID }, AbortSignal.timeout(2_000)),
  )
  return known.ID
}

/** Puts the member in again and starts it. */
export async function addMember({ node, nodes, whileDown, signal }) {
  const peerURLs = [`http://${node.address(peerPort)}`]
  if ((await memberList(nodes, signal)).some(({ name }) => name === node.name)) return 'was in already'
  const added = await ofAny(others(node, nodes), (one) =>
    post(one, '/v3/cluster/member/add', { peerURLs }, AbortSignal.timeout(2_000)),
  )
  await whileDown(() => {})
  return added.member.ID
}

/** Lets the node that is to spare start, and makes it a member. */
export async function addSpare(given) {
  const { node, exec } = given
  await exec.run(node.name, ['tee', join(dataDirs.get(node.name), 'joins')], { input: 'anew' })
  return addMember(given)
}

function others(node, nodes) {
  return nodes.filter((one) => one !== node)
}

async function memberList(nodes, signal) {
  const answer = await ofAny(
    nodes,
    (one) => post(one, '/v3/cluster/member/list', {}, AbortSignal.timeout(1_000)),
    signal,
  )
  return answer.members
}

/** The first good answer; etcd refuses changes of the membership for some seconds after a member was away. */
async function ofAny(nodes, ask, signal = AbortSignal.timeout(15_000)) {
  for (;;) {
    let last
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

async function put(node, key, signal) {
  const value = Buffer.from('x'.repeat(100)).toString('base64')
  return post(node, '/v3/kv/put', { key: Buffer.from(key).toString('base64'), value }, signal)
}

async function status(node, signal = AbortSignal.timeout(1_000)) {
  const answer = await post(node, '/v3/maintenance/status', {}, signal)
  return {
    leader: answer.leader ?? '0',
    member: answer.header.member_id,
    term: Number(answer.raftTerm ?? 0),
    index: Number(answer.raftIndex ?? 0),
    revision: Number(answer.header.revision ?? 0),
  }
}

async function post(node, path, body, signal) {
  const answer = await fetch(`http://${node.address(clientPort)}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${text}`)
  return JSON.parse(text)
}
