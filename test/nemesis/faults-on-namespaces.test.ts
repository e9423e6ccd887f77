import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startClock } from '../../src/history/clock.js'
import { openJournal } from '../../src/nemesis/undo/file-journal.js'
import { processes } from '../../src/systems/process/processes.js'
import { requires } from '../support/requirements.js'
import { countingJournal } from './counting-journal.js'
import { faultsLandAndHeal } from './parity.js'

const server = fileURLToPath(new URL('../fixtures/systems/relay-server.mjs', import.meta.url))

requires(
  'linux',
  'root',
  'nft',
)('faults on processes in network namespaces', () => {
  faultsLandAndHeal(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'nemesis-faults-'))
    const runId = `faults-namespaces-${process.pid}`
    const file = await openJournal(runId, join(directory, 'undo'))
    const journal = countingJournal(file)
    const system = await processes({
      command: [process.execPath, server],
      count: 3,
      ports: [7000],
      network: 'namespaces',
      env: ({ listen, self, peers }) => ({
        HOST: self(7000).host,
        PORT: String(listen(7000)),
        PEERS: peers.join(','),
      }),
    }).start({
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
  })
})
