import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startClock } from '../../src/history/clock.js'
import { openJournal } from '../../src/nemesis/undo/file-journal.js'
import { docker, imageFromHost } from '../../src/systems/docker/index.js'
import type { ProcessesOptions } from '../../src/systems/process/options.js'
import { processes } from '../../src/systems/process/processes.js'
import type { NodeProvider } from '../../src/systems/system.js'
import { countingJournal } from './counting-journal.js'
import type { Started } from './parity.js'

/** A server that answers a line when every peer of it has answered. */
export const relayServer = fileURLToPath(new URL('../fixtures/systems/relay-server.mjs', import.meta.url))

/** Three of them as processes. */
export function relayProcesses(options: Partial<ProcessesOptions> = {}): NodeProvider {
  return processes({
    command: [process.execPath, relayServer],
    count: 3,
    ports: [7000],
    env: ({ listen, peers }) => ({ PORT: String(listen(7000)), PEERS: peers.join(',') }),
    ...options,
  })
}

/** Three of them in containers. */
export function relayContainers(): NodeProvider {
  return docker({
    image: imageFromHost({
      tag: 'nemesis-test-relay',
      binaries: [process.execPath],
      files: { '/srv/relay-server.mjs': relayServer },
    }),
    count: 3,
    ports: [7000],
    command: [process.execPath, '/srv/relay-server.mjs'],
    env: ({ listen, peers }) => ({ HOST: '0.0.0.0', PORT: String(listen(7000)), PEERS: peers.join(',') }),
  })
}

/** Starts a system with a journal on disk, as a run does, for faults that are put in by hand. */
export async function startForFaults(provider: NodeProvider): Promise<Started> {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-faults-'))
  const runId = `faults-${process.pid}-${Date.now().toString(36)}`
  const file = await openJournal(runId, join(directory, 'undo'))
  const journal = countingJournal(file)
  const system = await provider.start({
    runId,
    logsDir: join(directory, 'logs'),
    clock: startClock(),
    journal,
    signal: new AbortController().signal,
  })
  return {
    system,
    journal,
    openEntries: journal.openEntries,
    async stop() {
      await system.stop()
      await file.finish()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
