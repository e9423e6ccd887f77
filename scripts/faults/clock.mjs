// The faults of time, on redis-server and etcd, as processes and in containers, each asked for its own time.
import { connect } from 'node:net'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { system } from '../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'
import { workload } from '../../dist/src/workload/index.js'
import { exercise } from './harness.mjs'

const redisOptions = ['--save', '', '--protected-mode', 'no']

const redisPlaces = {
  processes: () =>
    processes({
      command: ({ listen, dataDir }) => [
        'redis-server',
        ...['--port', String(listen(6379)), '--bind', '127.0.0.1', '--dir', dataDir, ...redisOptions],
      ],
      count: 1,
      ports: [6379],
    }),
  containers: () =>
    docker({
      image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
      command: ['redis-server', ...redisOptions],
      count: 1,
      ports: [6379],
    }),
}

const redis = (nodes) =>
  system('redis', {
    nodes,
    connect: (node) => async () => redisTime(node.address(6379)),
    clock: (node) => redisTime(node.address(6379)),
  })

const etcd = () =>
  system('etcd', {
    nodes: docker({
      image: imageFromHost({ tag: 'nemesis-test-etcd', binaries: ['etcd'] }),
      command: ({ dataDir }) => [
        'etcd',
        ...['--data-dir', `${dataDir}/etcd`, '--listen-client-urls', 'http://0.0.0.0:2379'],
        ...['--advertise-client-urls', 'http://127.0.0.1:2379'],
      ],
      count: 1,
      ports: [2379],
    }),
    connect: (node) => async () => httpDate(node.address(2379)),
    ready: (nodes) => Promise.all(nodes.map((node) => httpDate(node.address(2379)))),
    clock: (node) => httpDate(node.address(2379)),
  })

const asking = workload({
  clients: 2,
  think: '20ms',
  timeout: '1s',
  operations: { read: { run: ({ client }) => client() } },
})

const window = { node: 'n1', at: '1s', for: '2s' }
const faults = [
  nemesis('clock-skew', { ...window, offset: '-1h' }),
  nemesis('clock-rate', { ...window, factor: 0.5 }),
]

export default [
  ...faults.flatMap((fault) =>
    Object.entries(redisPlaces).map(([place, nodes]) => ({
      fault: fault.definition.name,
      mechanism: `${place} (vDSO)`,
      run: () => exercise(fault, { on: redis(nodes()), workload: asking }),
    })),
  ),
  {
    fault: 'clock-skew',
    mechanism: 'containers, etcd (vDSO)',
    run: () => exercise(faults[0], { on: etcd(), workload: asking }),
  },
]

async function httpDate(address) {
  const { headers } = await fetch(`http://${address}/version`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(3_000),
  })
  return Date.parse(headers.get('date') ?? '')
}

/** `TIME` of a Redis server: seconds and microseconds. */
function redisTime({ host, port }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 3_000 })
    let text = ''
    socket.on('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.on('error', reject)
    socket.on('connect', () => socket.write('*1\r\n$4\r\nTIME\r\n'))
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const [, seconds, microseconds] = /\r\n(\d{9,})\r\n\$\d+\r\n(\d+)\r\n/.exec(text) ?? []
      if (seconds === undefined) return
      socket.destroy()
      resolve(Number(seconds) * 1_000 + Number(microseconds) / 1_000)
    })
  })
}
