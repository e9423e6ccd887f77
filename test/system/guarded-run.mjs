// A run on a system that is disturbed, without a scenario: tells that it is at work, then goes on until it is killed.
//   node guarded-run.mjs '{"system":"processes","disk":"fuse","work":"power losses"}'
import { join } from 'node:path'
import { startClock } from '../../dist/src/history/clock.js'
import { openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { systems } from './guarded/systems.mjs'
import { works } from './guarded/works.mjs'

const { system, work, ...options } = JSON.parse(process.argv[2])
const runId = `guarded-${process.pid}-${Date.now().toString(36)}`
const journal = await openJournal(runId)
startGuardian(journal.file)
const running = await systems[system](options).start({
  runId,
  logsDir: join(process.env.NEMESIS_STATE_DIR, 'logs'),
  clock: startClock(),
  journal,
  signal: new AbortController().signal,
})
await works[work](running, () => process.stdout.write(`${runId}\n`))
setInterval(() => {}, 1_000)
