import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { claim, nemesis, processes, scenario, system, workload } from 'vitest-nemesis'
import { linearizable, noLostAck } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'

const C1 = claim(
  'C1',
  'Reads are linearizable per key, and an acknowledged write survives a kill and a pause',
  {
    categories: ['safety', 'durability'],
  },
)

/** A client of the register: a connection for each request, so that a lost one concerns no other request. */
interface Client {
  request(request: object, signal: AbortSignal): Promise<number | null>
}

function clientOf(address: { readonly host: string; readonly port: number }): Client {
  return {
    request: (request, signal) =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: address.host, port: address.port, signal })
        let answer = ''
        socket.setEncoding('utf8')
        socket.on('data', (part: string) => (answer += part))
        socket.on('data', () => answer.endsWith('\n') && socket.end())
        socket.on('error', reject)
        socket.on('close', () =>
          answer.endsWith('\n')
            ? resolve(JSON.parse(answer).value)
            : reject(new Error('the connection was lost')),
        )
        socket.write(`${JSON.stringify(request)}\n`)
      }),
  }
}

const read = (client: Client, key: string | number | null, signal: AbortSignal) =>
  client.request({ type: 'read', key }, signal)

const store = system<Client>('register', {
  nodes: processes({
    command: [process.execPath, fileURLToPath(new URL('register-server.mjs', import.meta.url))],
    count: 1,
    ports: [7000],
    env: ({ listen, dataDir }) => ({ PORT: String(listen(7000)), DATA_DIR: dataDir }),
  }),
  connect: (node) => clientOf(node.address(7000)),
  ready: async ([node]) => {
    if (node === undefined) return false
    await read(clientOf(node.address(7000)), 'any', AbortSignal.timeout(1_000))
    return true
  },
})

scenario('acknowledged_writes_survive_a_kill_and_a_pause', {
  id: 'S1',
  falsifies: [C1],
  system: store,
  model: register(),
  workload: workload<Client>({
    clients: 4,
    rate: '100/s',
    keys: { count: 3 },
    operations: {
      write: {
        run: ({ client, key, value, signal }) => client.request({ type: 'write', key, value }, signal),
      },
      read: { run: ({ client, key, signal }) => read(client, key, signal) },
    },
    timeout: '1s',
  }),
  nemesis: [
    nemesis('kill', { node: 'n1', at: '1s', for: '1s' }),
    nemesis('pause', { node: 'n1', at: '4s', for: '1s' }),
  ],
  checkers: [
    linearizable(),
    noLostAck<Client>({ final: ({ client, key }) => read(client, key, AbortSignal.timeout(1_000)) }),
  ],
  budget: { smoke: { duration: '6s', nodes: 1, faults: 2, seeds: 1 } },
})
