// Processes in namespaces, and an adopted container, with faults in place: tells what there is, then waits to be killed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startClock } from '../../dist/src/history/clock.js'
import { openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { docker } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'

const [kind, ...containers] = process.argv.slice(2)
const runId = `guarded-${kind}-${process.pid}`
const journal = await openJournal(runId)
const guardian = startGuardian(journal.file)
const provider =
  kind === 'adopted'
    ? docker.adopt(containers, { ports: [7000] })
    : processes({
        command: ({ listen }) => ['busybox', 'nc', '-ll', '-p', String(listen(7000)), '-e', 'cat'],
        count: 2,
        ports: [7000],
        network: 'namespaces',
      })
const logsDir = join(process.env.NEMESIS_STATE_DIR, 'logs')
const signal = new AbortController().signal
const { nodes, lifecycle, network } = await provider.start({
  runId,
  logsDir,
  clock: startClock(),
  journal,
  signal,
})
await network.block([{ from: 'n1', to: 'n2' }], 'drop')
await network.delay([{ from: 'n2', to: 'n1' }], 50, 0)
await lifecycle.pause('n2')
await lifecycle.kill('n1')
// The link into the network of this run is named after its first address.
const [a, b, c] = nodes[0].address(7000).host.split('.')
const base = [a, b, c].map((part) => Number(part).toString(16).padStart(2, '0')).join('')
const link = `nemesis${base}00`
const tag = createHash('sha256').update(runId).digest('hex').slice(0, 8)
const namespaces = existsSync('/run/netns')
  ? readdirSync('/run/netns').filter((name) => name.startsWith(`nemesis-${tag}`))
  : []
process.stdout.write(
  `${JSON.stringify({ guardian: guardian.pid, journal: journal.file, link, namespaces })}\n`,
)
setInterval(() => {}, 1_000)
