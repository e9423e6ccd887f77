// Storage faults that need no disk but a plain directory or a small memory file system, on redis-server and etcd.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { system } from '../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'
import { exercise } from './harness.mjs'
import { onRedis, writes } from './redis.mjs'

const run = promisify(execFile)
const window = { at: '1s', for: '2s' }

const etcdNodes = {
  processes: () =>
    processes({
      command: ({ listen, dataDir, name }) => etcd(name, dataDir, listen(2379), listen(2380), '127.0.0.1'),
      count: 1,
      ports: [2379, 2380],
    }),
  containers: () =>
    docker({
      image: imageFromHost({ tag: 'nemesis-test-etcd', binaries: ['etcd'] }),
      command: ({ name }) => etcd(name, '/data', 2379, 2380, '0.0.0.0'),
      count: 1,
      ports: [2379, 2380],
    }),
}

function etcd(name, dataDir, clientPort, peerPort, host) {
  const at = (port) => `http://${host}:${port}`
  const self = `http://127.0.0.1:${peerPort}`
  return [
    ...['etcd', '--name', name, '--data-dir', dataDir, '--log-level', 'warn'],
    ...['--listen-client-urls', at(clientPort), '--advertise-client-urls', at(clientPort)],
    ...['--listen-peer-urls', self, '--initial-advertise-peer-urls', self],
    ...['--initial-cluster', `${name}=${self}`],
  ]
}

function etcdSystem(nodes) {
  return system('etcd', {
    nodes,
    connect: (node) => ({ put: (key, signal) => etcdPut(node.address(2379), key, signal) }),
    ready: async ([node]) => (await etcdPut(node.address(2379), 'ready', AbortSignal.timeout(1_000))) > 0,
    settle: '30s',
  })
}

/** The revision of the write. */
async function etcdPut({ host, port }, key, signal) {
  const body = JSON.stringify({ key: Buffer.from(key).toString('base64'), value: 'eA==' })
  const answer = await fetch(`http://${host}:${port}/v3/kv/put`, { method: 'POST', body, signal })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  return Number((await answer.json()).header.revision)
}

let keys = 0
const etcdWrites = writes((client, signal) => client.put(`k${(keys += 1)}`, signal))

/** A snapshot of etcd by its own means, restored beside it. The proof is the revision that the restored files hold. */
async function etcdBackup() {
  const directory = await mkdtemp(join(tmpdir(), 'faults-backup-'))
  const nodes = etcdNodes.processes()
  const snapshot = join(directory, 'snapshot.db')
  const restored = join(directory, 'restored')
  let endpoint = null
  let isRestored = false
  const on = system('etcd', {
    nodes,
    connect(node) {
      endpoint = String(node.address(2379))
      return { put: (key, signal) => etcdPut(node.address(2379), key, signal) }
    },
    ready: async ([node]) => (await etcdPut(node.address(2379), 'ready', AbortSignal.timeout(1_000))) > 0,
    settle: '30s',
  })
  const etcdctl = (...args) =>
    run('etcdctl', args, { timeout: 20_000, env: { ...process.env, ETCDCTL_API: '3' } })
  const race = nemesis('backup-restore-race', {
    node: 'n1',
    at: '1s',
    backup: () => etcdctl('--endpoints', endpoint, 'snapshot', 'save', snapshot),
    async restore() {
      await etcdctl('snapshot', 'restore', snapshot, '--data-dir', restored)
      isRestored = true
    },
    async proof() {
      if (!isRestored) return 'nothing restored'
      const db = join(restored, 'member', 'snap', 'db')
      const { stdout } = await etcdctl('snapshot', 'status', db, '-w', 'json')
      return `revision ${JSON.parse(stdout).revision}`
    },
  })
  try {
    return await exercise(race, { on, workload: etcdWrites })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export default [
  ...onRedis('disk-full', { node: 'n1', ...window }, { mechanism: 'strace' }),
  ...onRedis('disk-full', { node: 'n1', ...window }, { mechanism: 'filler', disk: { size: '8m' } }),
  ...onRedis('slow-disk', { node: 'n1', delay: '300ms', ...window }, { mechanism: 'strace' }),
  ...onRedis('fsync-failure', { node: 'n1', restart: true, ...window }, { mechanism: 'strace' }),
  ...onRedis(
    'corruption',
    { node: 'n1', file: '**/*.incr.aof', flip: 1, offset: 0, ...window },
    { mechanism: 'redis-server' },
  ),
  ...Object.entries(etcdNodes).map(([place, nodes]) => ({
    fault: 'corruption',
    mechanism: `etcd, ${place}`,
    run: () =>
      exercise(nemesis('corruption', { node: 'n1', file: 'member/wal/*.wal', flip: 16, ...window }), {
        on: etcdSystem(nodes()),
        workload: etcdWrites,
      }),
  })),
  { fault: 'backup-restore-race', mechanism: 'etcd, processes', run: etcdBackup },
]
