// A run that disturbs the files of its node in one way after the other: tells that it runs, then waits to be killed.
//   node guarded-storage-run.mjs processes|docker [SIZE]
import { join } from 'node:path'
import { startClock } from '../../dist/src/history/clock.js'
import { openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'

const [, , kind, size] = process.argv
const redis = ['redis-server', '--appendonly', 'yes', '--save', '', '--protected-mode', 'no']
const disk = size === undefined ? {} : { disk: { size } }
const provider =
  kind === 'docker'
    ? docker({
        image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
        command: [...redis, '--dir', '/data'],
        count: 1,
        ports: [6379],
        ...disk,
      })
    : processes({
        command: ({ listen, dataDir }) => [...redis, '--port', String(listen(6379)), '--dir', dataDir],
        count: 1,
        ports: [6379],
        ...disk,
      })

const runId = `guarded-storage-${process.pid}-${Date.now().toString(36)}`
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
const disturbances = [
  { kind: 'full' },
  { kind: 'slow', delayMs: 50 },
  { kind: 'fail', operation: 'fsync', error: 'EIO' },
]
for (let round = 0; ; round += 1) {
  const rule = await storage.disturb('n1', disturbances[round % disturbances.length])
  await rule.remove()
  await lifecycle.kill('n1')
  // There is none when the node was killed while it started for the first time.
  const file = (await storage.files('n1')).find(({ path }) => path.endsWith('.manifest'))
  if (file !== undefined) {
    const replaced = await storage.replace('n1', file.path, Buffer.from('nonsense'))
    await replaced.restore()
  }
  await lifecycle.start('n1')
}
