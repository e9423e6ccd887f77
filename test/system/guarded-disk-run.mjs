// A run with a disk of our own whose node loses its power again and again: tells that it runs, then waits to be killed.
import { join } from 'node:path'
import { startClock } from '../../dist/src/history/clock.js'
import { openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'

const [, , kind, disk] = process.argv
const redis = ['redis-server', '--appendonly', 'yes', '--save', '', '--protected-mode', 'no']
const provider =
  kind === 'docker'
    ? docker({
        image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
        command: [...redis, '--dir', '/data'],
        count: 1,
        ports: [6379],
        disk,
      })
    : processes({
        command: ({ listen, dataDir }) => [...redis, '--port', String(listen(6379)), '--dir', dataDir],
        count: 1,
        ports: [6379],
        disk,
      })

const runId = `guarded-disk-${process.pid}-${Date.now().toString(36)}`
const journal = await openJournal(runId)
startGuardian(journal.file)
const { lifecycle, storage } = await provider.start({
  runId,
  logsDir: join(process.env.NEMESIS_STATE_DIR, 'logs'),
  clock: startClock(),
  journal,
  signal: new AbortController().signal,
})
process.stdout.write(`${runId}\n`)
for (;;) {
  await storage.losePower('n1')
  await lifecycle.start('n1')
}
