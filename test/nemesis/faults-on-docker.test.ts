import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startClock } from '../../src/history/clock.js'
import { openJournal } from '../../src/nemesis/undo/file-journal.js'
import { docker, imageFromHost } from '../../src/systems/docker/index.js'
import { requires } from '../support/requirements.js'
import { countingJournal } from './counting-journal.js'
import { faultsLandAndHeal } from './parity.js'

const server = fileURLToPath(new URL('../fixtures/systems/relay-server.mjs', import.meta.url))
const provider = docker({
  image: imageFromHost({
    tag: 'nemesis-test-relay',
    binaries: [process.execPath],
    files: { '/srv/relay-server.mjs': server },
  }),
  count: 3,
  ports: [7000],
  command: [process.execPath, '/srv/relay-server.mjs'],
  env: ({ listen, peers }) => ({ HOST: '0.0.0.0', PORT: String(listen(7000)), PEERS: peers.join(',') }),
})
requires(
  'docker',
  'busybox',
  'nft',
)('faults on containers', () => {
  faultsLandAndHeal(async () => {
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
  })
})
