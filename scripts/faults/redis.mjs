// A redis-server with an append-only file under the faults of storage, for the rows of `npm run faults`.
import { Redis } from 'ioredis'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { system } from '../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'
import { workload } from '../../dist/src/workload/index.js'
import { exercise } from './harness.mjs'

const redisOptions = ['--appendonly', 'yes', '--save', '', '--protected-mode', 'no']
const redisNodes = {
  processes: (options) =>
    processes({
      command: ({ listen, dataDir }) => [
        ...['redis-server', '--port', String(listen(6379)), '--dir', dataDir],
        ...redisOptions,
      ],
      count: 1,
      ports: [6379],
      ...options,
    }),
  containers: (options) =>
    docker({
      image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
      command: ['redis-server', '--dir', '/data', ...redisOptions],
      count: 1,
      ports: [6379],
      ...options,
    }),
}

function redisSystem(nodes) {
  return system('redis', {
    nodes,
    connect: (node) => openRedis(node.address(6379)),
    close: (client) => client.disconnect(),
    ready: async ([node]) => {
      const client = openRedis(node.address(6379))
      try {
        return (await client.set('ready', '1')) === 'OK'
      } finally {
        client.disconnect()
      }
    },
    settle: '30s',
  })
}

function openRedis({ host, port }) {
  const client = new Redis({
    host,
    port,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: 5_000,
    retryStrategy: () => 50,
  })
  client.on('error', () => {})
  return client
}

/** Two clients that write without end. */
export const writes = (write) =>
  workload({
    clients: 2,
    think: '10ms',
    timeout: '2s',
    operations: { write: { run: async ({ client, signal }) => void (await write(client, signal)) } },
  })

let keys = 0
const redisWrites = writes((client) => client.set(`k${(keys += 1)}`, 'x'))

/** A row for processes and one for containers. */
export const onRedis = (fault, options, { mechanism, disk }) =>
  Object.entries(redisNodes).map(([place, nodes]) => ({
    fault,
    mechanism: `${mechanism}, ${place}`,
    run: () =>
      exercise(nemesis(fault, options), {
        on: redisSystem(nodes(disk === undefined ? {} : { disk })),
        workload: redisWrites,
      }),
  }))
