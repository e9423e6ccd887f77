// A run as the guardian sees it: a journal, two children, a directory; then it does what its argument says.
import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
import { journalPath, openJournal } from '../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../dist/src/nemesis/undo/guard.js'
import { processStartTime } from '../../dist/src/systems/process/start-time.js'

// `early` is one that dies before it has opened its journal.
const ending = isMainThread ? process.argv[2] : workerData
const tell = (text) => process.stdout.write(`${text}\n`)

if (isMainThread && ending === 'thread') {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'wait' })
  process.stdin.once('data', () => worker.terminate())
} else if (ending === 'early') {
  const journal = journalPath(`guardian-test-${process.pid}`)
  const guardian = startGuardian(journal).pid
  tell(JSON.stringify({ guardian, journal, children: [], stranger: guardian, directory: journal }))
  setInterval(() => {}, 1_000)
} else {
  await run()
}

async function run() {
  const runId = `guardian-test-${process.pid}`
  const journal = await openJournal(runId)
  const guardian = startGuardian(journal.file)
  const entries = [await journal.open({ kind: 'processes', run: runId })]
  const children = [0, 1].map(() =>
    spawn('sleep', ['120'], { detached: true, stdio: 'ignore', env: { ...process.env, NEMESIS_RUN: runId } }),
  )
  for (const { pid } of children) {
    entries.push(await journal.open({ kind: 'process', pid, startTime: await processStartTime(pid) }))
  }
  // A process of somebody else's that this run has only stopped.
  const stranger = spawn('sleep', ['120'], { detached: true, stdio: 'ignore' })
  entries.push(
    await journal.open({
      kind: 'resume',
      pid: stranger.pid,
      startTime: await processStartTime(stranger.pid),
    }),
  )
  process.kill(stranger.pid, 'SIGSTOP')
  process.kill(-children[1].pid, 'SIGSTOP')
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-guarded-'))
  entries.push(await journal.open({ kind: 'directory', path: directory }))
  const pids = { children: children.map(({ pid }) => pid), stranger: stranger.pid, guardian: guardian.pid }
  tell(JSON.stringify({ ...pids, directory, journal: journal.file }))
  if (ending === 'exit') process.exit(3)
  if (ending === 'clean') {
    for (const entry of entries) await journal.close(entry)
    await journal.finish()
    await guardian.release()
    tell('released')
    return
  }
  if (ending === 'busy')
    for (;;) await journal.close(await journal.open({ kind: 'directory', path: directory }))
  setInterval(() => {}, 1_000)
}
