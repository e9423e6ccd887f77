// Three servers of which there are two releases, each in a directory of its own as an installer would leave it. A node runs
// the release that a file in its data directory names.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { system } from '../../../dist/src/scenario/system.js'
import { docker, imageFromHost } from '../../../dist/src/systems/docker/index.js'
import { processes } from '../../../dist/src/systems/process/processes.js'
import { workload } from '../../../dist/src/workload/index.js'

const port = 7000
const here = fileURLToPath(new URL('../../../test/fixtures/systems/releases/', import.meta.url))

/** Data directories, by node; in containers they are all called the same. */
const dataDirs = new Map()

const command =
  (home) =>
  ({ name, dataDir }) => {
    dataDirs.set(name, dataDir)
    const script = 'release=$(cat "$1" 2>/dev/null || echo 1.0); exec "$2" "$0/$release/server.mjs"'
    return ['/bin/sh', '-c', script, home, join(dataDir, 'release'), process.execPath]
  }

const common = { count: 3, ports: [port] }

export const releasesPlaces = {
  processes: () =>
    processes({
      ...common,
      command: command(here),
      env: ({ listen }) => ({ HOST: '127.0.0.1', PORT: String(listen(port)) }),
    }),
  containers: () =>
    docker({
      ...common,
      command: command('/srv'),
      env: ({ listen }) => ({ HOST: '0.0.0.0', PORT: String(listen(port)) }),
      image: imageFromHost({
        tag: 'nemesis-test-releases',
        binaries: [process.execPath],
        files: Object.fromEntries(
          ['1.0', '2.0'].map((release) => [`/srv/${release}/server.mjs`, join(here, release, 'server.mjs')]),
        ),
      }),
    }),
}

export function releases(nodes) {
  return system('releases', {
    nodes,
    connect: (node) => node,
    close: () => {},
    ready: (all) => Promise.all(all.map((node) => version({ node }))),
    roles: { leader: () => 'n1' },
  })
}

export const releasesTraffic = workload({
  clients: 3,
  think: '10ms',
  timeout: '1s',
  operations: { read: { run: ({ client, signal }) => version({ node: client, signal }) } },
})

/** What the server itself says it is. */
export async function version({ node, signal = AbortSignal.timeout(1_000) }) {
  const answer = await fetch(`http://${node.address(port)}/version`, { signal })
  return answer.text()
}

/** Has the node run another release: named while it runs, started when it comes up again. */
export const install =
  (release) =>
  async ({ node, exec, whileDown }) => {
    const file = join(dataDirs.get(node.name), 'release')
    const { code, stderr } = await exec.run(node.name, ['tee', file], { input: release })
    if (code !== 0) throw new Error(stderr)
    await whileDown(() => {})
  }
