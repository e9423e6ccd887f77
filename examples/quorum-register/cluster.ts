import { fileURLToPath } from 'node:url'
import { processes, system, type System, type SystemNode } from 'vitest-nemesis'
import { RegisterClient } from './client.js'

const port = 7000
const server = fileURLToPath(new URL('./dist/server.js', import.meta.url))

/**
 * Three nodes of the register as child processes. `env` switches what is right or wrong about them; `disk` is what their
 * data lies on.
 */
export function registerCluster(
  name: string,
  env: Record<string, string> = {},
  disk: Pick<Parameters<typeof processes>[0], 'disk'> = {},
): System<RegisterClient> {
  return system(name, {
    nodes: processes({
      command: [process.execPath, server],
      count: 3,
      ...disk,
      ports: [port],
      env: ({ name, peers, listen, dataDir }) => ({
        NODE: name,
        PORT: String(listen(port)),
        DATA_DIR: dataDir,
        PEERS: peers.map((peer) => `${peer.name}=${peer.address(port)}`).join(),
        ...env,
      }),
    }),
    connect: (node) => new RegisterClient(node.address(port)),
    ready: async (nodes) => (await statuses(nodes)).length === nodes.length,
    quiesced: async (nodes) => isQuiet(await statuses(nodes)),
  })
}

function statuses(nodes: readonly SystemNode[]) {
  return Promise.all(
    nodes.map(async (node) => {
      const client = new RegisterClient(node.address(port))
      try {
        return await client.status()
      } finally {
        client.close()
      }
    }),
  )
}

/** Nothing is in flight and every replica holds the same version of every key. */
function isQuiet(all: Awaited<ReturnType<typeof statuses>>): boolean {
  const versions = all.map(({ timestamps }) =>
    JSON.stringify(Object.entries(timestamps).toSorted(([a], [b]) => a.localeCompare(b))),
  )
  return all.every(({ inFlight }) => inFlight === 0) && new Set(versions).size === 1
}
