import { docker, imageFromHost } from '../../../src/systems/docker/index.js'
import { processes } from '../../../src/systems/process/processes.js'
import type { Address, NodeProvider } from '../../../src/systems/system.js'
import { httpDate, httpText, redisTime } from './told-times.js'

/** A real system of one node, and how it is asked for its time. */
export interface TimedSystem {
  readonly provider: NodeProvider
  readonly port: number
  told(address: Address): Promise<number>
}

const redisOptions = ['--save', '', '--protected-mode', 'no']

export const redisProcess: TimedSystem = {
  provider: processes({
    command: ({ listen, dataDir }) => [
      'redis-server',
      ...['--port', String(listen(6379)), '--bind', '127.0.0.1', '--dir', dataDir, ...redisOptions],
    ],
    count: 1,
    ports: [6379],
  }),
  port: 6379,
  told: redisTime,
}

export const redisContainer: TimedSystem = {
  provider: docker({
    image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
    command: ['redis-server', ...redisOptions],
    count: 1,
    ports: [6379],
  }),
  port: 6379,
  told: redisTime,
}

export const etcdContainer: TimedSystem = {
  provider: docker({
    image: imageFromHost({ tag: 'nemesis-test-etcd', binaries: ['etcd'] }),
    command: ({ dataDir }) => [
      'etcd',
      ...['--data-dir', `${dataDir}/etcd`, '--listen-client-urls', 'http://0.0.0.0:2379'],
      ...['--advertise-client-urls', 'http://127.0.0.1:2379'],
    ],
    count: 1,
    ports: [2379],
  }),
  port: 2379,
  told: httpDate,
}

/** Answers with its pid, or else with its time. */
const nodeServer = (port: number) =>
  `require('node:http').createServer((asked, answer) => answer.end(String(asked.url === '/pid' ? process.pid : Date.now()))).listen(${port}, '127.0.0.1')`

export const nodeProcess: TimedSystem = {
  provider: processes({
    command: ({ listen }) => [process.execPath, '-e', nodeServer(listen(7000))],
    count: 1,
    ports: [7000],
  }),
  port: 7000,
  told: async (address) => Number(await httpText(address, '/')),
}

/** A shell that starts the server anew when it ends. */
export const supervisedNode: TimedSystem = {
  ...nodeProcess,
  provider: processes({
    command: ({ listen }) => [
      ...['sh', '-c', 'while true; do "$0" -e "$1"; done', process.execPath],
      nodeServer(listen(7000)),
    ],
    count: 1,
    ports: [7000],
  }),
}
