import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { changed, type FaultContext } from '../../../src/nemesis/fault.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { resolveTarget } from '../../../src/nemesis/resolve.js'
import { runSchedule } from '../../../src/nemesis/schedule/run.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import { becomes } from '../../../src/time/wait.js'
import { Random } from '../../../src/random/random.js'
import type { Lifecycle, Network } from '../../../src/systems/capabilities.js'
import { processes } from '../../../src/systems/process/processes.js'
import { absentOthers } from '../absent-others.js'
import { countingJournal } from '../counting-journal.js'
import { Traffic } from '../traffic.js'

const server = fileURLToPath(new URL('../../fixtures/systems/relay-server.mjs', import.meta.url))

/** Draws each kind at least once among the first five faults. */
const seed = 5

const landWithin = '20s'

const faults = nemesis.random({
  kinds: [
    nemesis('kill', { node: 'random', landWithin }),
    nemesis('pause', { node: 'random', landWithin }),
    nemesis('partition', { isolate: 'random', landWithin }),
  ],
  quiet: '300ms',
  for: ['300ms', '900ms'],
})

/** Plays the random schedule on real processes until five faults were in place. */
async function play() {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-random-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const runId = `random-${process.pid}-${Math.random().toString(36).slice(2)}`
  const file = await openJournal(runId, join(directory, 'undo'))
  const journal = countingJournal(file)
  const clock = startClock()
  const signal = new AbortController().signal
  const system = await processes({
    command: [process.execPath, server],
    count: 3,
    ports: [7000],
    env: ({ listen, peers }) => ({ PORT: String(listen(7000)), PEERS: peers.join(',') }),
  }).start({ runId, logsDir: join(directory, 'logs'), clock, journal, signal })
  const traffic = new Traffic(system.nodes, clock)
  onTestFinished(async () => {
    await traffic.stop()
    await system.stop()
    await file.finish()
  })
  const nodes = system.nodes.map(({ name }) => name)
  const context: FaultContext = {
    clock,
    lifecycle: system.lifecycle as Lifecycle,
    network: system.network as Network,
    ...absentOthers('relay'),
    nodes,
    journal,
    activity: (node, since) => traffic.activity(node, since),
    resolve: () => Promise.reject(new Error('a schedule resolves by itself')),
    signal,
  }
  const recovered = async () => {
    const since = clock.now()
    return becomes(() => nodes.every((node) => traffic.activity(node, since).ok >= 3), { withinMs: 60_000 })
  }
  expect(await recovered()).toBe(true)
  const before = journal.openEntries()
  const enough = new AbortController()
  let ids = 0
  const played = await runSchedule([faults], context, {
    durationMs: 600_000,
    signal: enough.signal,
    random: new Random(seed),
    nextId: () => `F${++ids}`,
    resolve: (target, how) => resolveTarget(target, { nodes, roles: {}, ...how }),
    recovered: async () => {
      const well = await recovered()
      if (ids === 5) enough.abort()
      return well
    },
  })
  const states = await Promise.all(nodes.map((node) => context.lifecycle.state(node)))
  expect(states.map(({ status }) => status)).toEqual(nodes.map(() => 'running'))
  expect(journal.openEntries()).toBe(before)
  return played
}

it(
  'draws kills, pauses and partitions that land on real processes, the same again',
  { timeout: 600_000 },
  async () => {
    const once = await play()
    expect(once.windows.map(({ cause }) => cause)).toEqual([null, null, null, null, null])
    expect(new Set(once.windows.map(({ fault }) => fault))).toEqual(new Set(['kill', 'pause', 'partition']))
    for (const window of once.windows) {
      expect(window.landed).toBe(true)
      expect(window.healed_ts).not.toBeNull()
      for (const side of ['injector', 'victim'] as const) {
        expect(window.evidence.some((item) => item.side === side && changed(item))).toBe(true)
      }
    }
    for (const { recoveredMs } of once.scheduled[0]?.faults ?? []) expect(recoveredMs).not.toBeNull()
    const again = await play()
    const sequence = ({ windows }: typeof once) => windows.map(({ fault, target }) => `${fault} ${target}`)
    expect(sequence(again)).toEqual(sequence(once))
  },
)
