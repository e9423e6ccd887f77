// How long a fault takes from the call until it is in effect, for kill, pause and partition, on processes and in
// containers: the median of 20 in milliseconds, with the least and the most. Needs `npm run build` before.
//
//   node bench/time-to-effect.mjs [--rounds 20] [--json]
//
// A kill or pause is in effect when the kernel or the engine reports the node as exited or frozen; a partition when its
// rule is in place, so that no later packet or chunk passes. Proof by both sides, which a run waits for, comes later.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startClock } from '../dist/src/history/clock.js'
import { openJournal } from '../dist/src/nemesis/undo/file-journal.js'
import { relayContainers, relayProcesses } from '../scripts/faults/harness.mjs'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, json: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
const links = ['n2', 'n3'].flatMap((other) => [
  { from: 'n1', to: other },
  { from: other, to: 'n1' },
])

if (!values.json) {
  const load = loadavg()[0]?.toFixed(1)
  console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}, load ${load}\n`)
}
for (const [place, provider] of [
  ['processes', relayProcesses()],
  ['containers', relayContainers()],
]) {
  const missing = await provider.missing()
  if (missing.length > 0) {
    console.log(`${place}: not possible here: ${missing.map(({ what }) => what).join(', ')}`)
    continue
  }
  await onSystem(provider, async (system) => {
    for (const [fault, measure] of Object.entries(faults(system))) tell(place, fault, await repeated(measure))
  })
}

/** What to time, and what takes it back, for each fault. */
function faults({ lifecycle, network }) {
  return {
    kill: { put: () => lifecycle.kill('n1'), undo: () => lifecycle.start('n1') },
    pause: { put: () => lifecycle.pause('n1'), undo: () => lifecycle.resume('n1') },
    partition: { put: () => network.block(links, 'drop'), undo: (rule) => rule.remove() },
  }
}

async function repeated({ put, undo }) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const done = await put()
    times.push(performance.now() - startedAt)
    await undo(done)
  }
  return times.toSorted((a, b) => a - b)
}

async function onSystem(provider, work) {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-bench-'))
  const runId = `bench-${process.pid}-${Date.now().toString(36)}`
  const journal = await openJournal(runId, join(directory, 'undo'))
  try {
    const system = await provider.start({
      runId,
      logsDir: join(directory, 'logs'),
      clock: startClock(),
      journal,
      signal: new AbortController().signal,
    })
    try {
      await work(system)
    } finally {
      await system.stop()
    }
  } finally {
    await journal.finish()
    await rm(directory, { recursive: true, force: true })
  }
}

function tell(place, fault, times) {
  const [least, median, most] = [times[0], times[Math.floor(times.length / 2)], times.at(-1)]
  if (values.json) console.log(JSON.stringify({ place, fault, median, least, most, rounds }))
  else
    console.log(`${fault.padEnd(10)} ${place.padEnd(11)} ${inMs(median)}  (${inMs(least)} to ${inMs(most)})`)
}

function inMs(ms) {
  return `${ms.toFixed(1)} ms`.padStart(9)
}
