// A run on containers with two faults in place: tells what there is, then waits to be killed.
import { join } from 'node:path'
import { startClock } from '../../dist/src/history/clock.js'
import { openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'

const runId = `guarded-${process.pid}-${Date.now().toString(36)}`
const journal = await openJournal(runId)
const guardian = startGuardian(journal.file)
const { lifecycle, network } = await docker({
  image: imageFromHost({ tag: 'nemesis-test-echo', binaries: ['busybox'] }),
  count: 3,
  ports: [7000],
  command: ['sh', '-c', 'echo started; exec nc -ll -p 7000 -e cat'],
}).start({
  runId,
  logsDir: join(process.env.NEMESIS_STATE_DIR, 'logs'),
  clock: startClock(),
  journal,
  signal: new AbortController().signal,
})
await network.block([{ from: 'n1', to: 'n2' }], 'drop')
await lifecycle.pause('n3')
process.stdout.write(`${JSON.stringify({ runId, guardian: guardian.pid, journal: journal.file })}\n`)
setInterval(() => {}, 1_000)
