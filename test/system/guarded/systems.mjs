import { docker, imageFromHost } from '../../../dist/src/systems/docker/index.js'
import { processes } from '../../../dist/src/systems/process/processes.js'

const redis = ['redis-server', '--appendonly', 'yes', '--save', '', '--protected-mode', 'no']
const echo = (port) => ['busybox', 'nc', '-ll', '-p', String(port), '-e', 'cat']

/** What a guarded run is made of, by name; `disk` is as the providers take it. */
export const systems = {
  'echo containers': () =>
    docker({
      image: imageFromHost({ tag: 'nemesis-test-echo', binaries: ['busybox'] }),
      count: 3,
      ports: [7000],
      command: ['sh', '-c', 'echo started; exec nc -ll -p 7000 -e cat'],
    }),
  'echo processes in namespaces': () =>
    processes({
      command: ({ listen }) => echo(listen(7000)),
      count: 2,
      ports: [7000],
      network: 'namespaces',
    }),
  'adopted containers': ({ containers }) => docker.adopt(containers, { ports: [7000] }),
  'redis process': ({ disk }) =>
    processes({
      command: ({ listen, dataDir }) => [...redis, '--port', String(listen(6379)), '--dir', dataDir],
      count: 1,
      ports: [6379],
      ...(disk === undefined ? {} : { disk }),
    }),
  'redis container': ({ disk }) =>
    docker({
      image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
      command: [...redis, '--dir', '/data'],
      count: 1,
      ports: [6379],
      ...(disk === undefined ? {} : { disk }),
    }),
}
