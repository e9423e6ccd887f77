/**
 * Runs one scenario on redis-server, as a process or in a container, and prints its record as JSON.
 * `node observed-run.mjs processes|docker DIRECTORY kill|segfault`
 */
import { Redis } from 'ioredis'
import { docker, imageFromHost } from 'vitest-nemesis/docker'
import { linearizable } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'
import { claim } from '../../dist/src/claim/declare.js'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { runScenario } from '../../dist/src/scenario/run.js'
import { system } from '../../dist/src/scenario/system.js'
import { createSession } from '../../dist/src/session/session.js'
import { processes } from '../../dist/src/systems/process/processes.js'
import { workload } from '../../dist/src/workload/index.js'

const [, , kind, sessionDir, what] = process.argv
const usual = ['--save', '', '--appendonly', 'yes', '--enable-debug-command', 'yes', '--protected-mode', 'no']
const shared = { count: 1, ports: [6379] }
const providers = {
  processes: () =>
    processes({
      ...shared,
      command: ({ listen, dataDir }) => [
        ...['redis-server', '--port', String(listen(6379)), '--bind', '127.0.0.1', '--dir', dataDir],
        ...usual,
      ],
    }),
  docker: () =>
    docker({
      ...shared,
      image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
      command: ({ dataDir }) => ['redis-server', '--dir', dataDir, ...usual],
    }),
}

const options = { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0, enableOfflineQueue: false }

async function connect(node) {
  const { host, port } = node.address(6379)
  const client = new Redis({ ...options, host, port, connectTimeout: 2_000 })
  // Errors reach the operations as well.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function answers([node]) {
  const client = await connect(node)
  const answer = await client.ping()
  client.disconnect()
  return answer === 'PONG'
}

let crashed = false
const crashOnce = async (client) => {
  if (what !== 'segfault' || crashed) return
  crashed = true
  await client.call('DEBUG', 'SEGFAULT')
}

const spec = {
  id: 'S1',
  falsifies: [claim('C1', 'Reads return the latest write', { categories: ['safety'] })],
  system: system('redis', {
    nodes: providers[kind](),
    connect,
    close: (client) => client.disconnect(),
    ready: answers,
    settle: '15s',
  }),
  model: register(),
  workload: workload({
    clients: 2,
    rate: '100/s',
    keys: { count: 2 },
    operations: {
      write: {
        run: async ({ client, key, value }) => {
          await client.set(key, String(value))
          if (value === 40) await crashOnce(client)
        },
      },
      read: { run: async ({ client, key }) => Number(await client.get(key)) || null },
    },
  }),
  nemesis: what === 'kill' ? [nemesis('kill', { node: 'n1', at: '1s', for: '1s', landWithin: '20s' })] : [],
  checkers: [linearizable()],
  sensitivity: false,
  reruns: 0,
  budget: { smoke: { duration: '6s', nodes: 1, faults: 0, seeds: 1 } },
}

await createSession(sessionDir)
const record = await runScenario(spec, undefined, {
  name: 'reads_return_the_latest_write',
  location: null,
  root: sessionDir,
  sessionDir,
  tier: 'smoke',
  signal: new AbortController().signal,
  progress: () => {},
})
process.stdout.write(JSON.stringify(record))
