import { fileURLToPath } from 'node:url'
import { processes, system, type System } from 'vitest-nemesis'
import { Documents } from './client.js'

const port = 8000
const server = fileURLToPath(new URL('./server.mjs', import.meta.url))

/** One process of the service. `env` switches what is right or wrong about it. */
export function documentService(env: Record<string, string>): System<Documents> {
  return system('documents', {
    nodes: processes({
      command: [process.execPath, server],
      count: 1,
      ports: [port],
      env: ({ listen, dataDir }) => ({ PORT: String(listen(port)), DATA_DIR: dataDir, ...env }),
    }),
    connect: (node) => new Documents(String(node.address(port))),
    ready: async ([node]) => {
      if (node === undefined) return false
      await new Documents(String(node.address(port))).audit(AbortSignal.timeout(1_000))
      return true
    },
  })
}

/** `EXPORT=exact` in the environment takes the bug out. */
export const service = documentService({ EXPORT: process.env['EXPORT'] ?? 'prefix' })
