import { fileURLToPath } from 'node:url'
import { processes, system } from 'vitest-nemesis'
import { Documents } from './client.js'

const port = 8000
const server = fileURLToPath(new URL('./server.mjs', import.meta.url))

/** One process of the service. `EXPORT=exact` in the environment takes the bug out. */
export const service = system('documents', {
  nodes: processes({
    command: [process.execPath, server],
    count: 1,
    ports: [port],
    env: ({ listen, dataDir }) => ({
      PORT: String(listen(port)),
      DATA_DIR: dataDir,
      EXPORT: process.env['EXPORT'] ?? 'prefix',
    }),
  }),
  connect: (node) => new Documents(String(node.address(port))),
  ready: async ([node]) => {
    if (node === undefined) return false
    await new Documents(String(node.address(port))).audit(AbortSignal.timeout(1_000))
    return true
  },
})
