// Runs one fault for real: a scenario with three relay servers, clients at each, and the fault. Used by the rows of
// `npm run faults`. Needs `npm run build` before.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claim } from '../../dist/src/claim/declare.js'
import { availability } from '../../dist/src/checkers/index.js'
import { changeInWords, tellingEvidence } from '../../dist/src/findings/render/words.js'
import { runScenario } from '../../dist/src/scenario/run.js'
import { system } from '../../dist/src/scenario/system.js'
import { createSession } from '../../dist/src/session/session.js'
import { docker, imageFromHost } from '../../dist/src/systems/docker/index.js'
import { processes } from '../../dist/src/systems/process/processes.js'
import { workload } from '../../dist/src/workload/index.js'

const server = fileURLToPath(new URL('../../test/fixtures/systems/relay-server.mjs', import.meta.url))

/** Three relay servers as processes; a server answers a client when all its peers have answered it. */
export function relayProcesses(options = {}) {
  return processes({
    command: [process.execPath, server],
    count: 3,
    ports: [7000],
    env: ({ listen, peers }) => ({ PORT: String(listen(7000)), PEERS: peers.join(',') }),
    ...options,
  })
}

/** The same in containers. */
export function relayContainers(options = {}) {
  return docker({
    image: imageFromHost({
      tag: 'nemesis-test-relay',
      binaries: [process.execPath],
      files: { '/srv/relay-server.mjs': server },
    }),
    count: 3,
    ports: [7000],
    command: [process.execPath, '/srv/relay-server.mjs'],
    env: ({ listen, peers }) => ({ HOST: '0.0.0.0', PORT: String(listen(7000)), PEERS: peers.join(',') }),
    ...options,
  })
}

/** The system as scenarios take it, with a client that asks for a line. */
export function relays(nodes) {
  return system('relays', {
    nodes,
    connect: (node) => ask.open(node.address(7000)),
    close: (client) => client.socket.destroy(),
    ready: async (all) => {
      for (const node of all) {
        const client = await ask.open(node.address(7000))
        try {
          if ((await client.line(AbortSignal.timeout(1_000))) !== 'ok') return false
        } finally {
          client.socket.destroy()
        }
      }
      return true
    },
    roles: { leader: () => 'n1' },
    settle: '30s',
  })
}

const ask = {
  open: ({ host, port }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.on('error', () => {})
        resolve({ socket, line: (signal) => line(socket, signal) })
      })
    }),
}

async function line(socket, signal) {
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const lost = async () => {
    await once(socket, 'close', { signal: until })
    throw new Error('the connection was lost')
  }
  socket.write('all\n')
  try {
    const [data] = await Promise.race([once(socket, 'data', { signal: until }), lost()])
    return String(data).trim()
  } finally {
    ended.abort()
  }
}

const traffic = workload({
  clients: 3,
  think: '10ms',
  timeout: '600ms',
  operations: {
    read: {
      run: async ({ client, signal }) => {
        const answer = await client.line(signal)
        if (answer !== 'ok') throw new Error(answer)
        return answer
      },
    },
  },
})

/** The longest that a fault may take to be proven, or the system to serve again, on a machine that others use as well. */
const patience = { landWithinMs: 40_000, ready: '60s' }

/**
 * Runs a scenario with the fault, for as long as it takes to be proven, healed and recovered from, and resolves to a line
 * of its evidence: mechanism, one reading of either side (or those that `shows` takes from the window), and the time to
 * proof. Throws with the cause when it did not land, was not healed, or could not run here.
 */
export async function exercise(declared, { on, workload: driven = traffic, shows = tellingEvidence }) {
  const { definition, schedule } = declared
  let recovered = false
  const body = async ({ nodes, inject, sleep, until }) => {
    await sleep(schedule.at ?? '1s')
    const landWithinMs = Math.max(declared.landWithinMs, patience.landWithinMs)
    const fault = await inject({ ...declared, schedule: {}, landWithinMs })
    if (!definition.oneShot) await sleep(schedule.for ?? '2s')
    await fault.heal()
    const { ready = () => true } = on.spec
    await until(() => ready(nodes), { timeout: patience.ready, what: 'the system recovers' })
    recovered = true
    await sleep('1s')
  }
  const directory = await mkdtemp(join(tmpdir(), 'faults-'))
  try {
    await createSession(directory)
    const alive = claim('C1', 'It goes on to answer', { categories: ['liveness'] })
    const spec = {
      id: 'S1',
      falsifies: [alive],
      system: on,
      workload: driven,
      checkers: [availability({ atLeast: 0 })],
      budget: { smoke: { duration: '1s', nodes: 1, faults: 0, seeds: 1 } },
    }
    const record = await runScenario(spec, body, {
      name: 'fault',
      location: null,
      sessionDir: directory,
      tier: 'smoke',
      signal: new AbortController().signal,
      progress: () => {},
    })
    const [missing] = record.missing
    if (missing !== undefined) throw new Error(`${missing.what} (${missing.hint})`)
    const [run] = record.runs
    if (run.error !== null) throw new Error(run.error.message)
    const [window] = run.faults
    if (window === undefined) throw new Error('it never fired')
    if (!window.landed) throw new Error(window.cause)
    if (window.healed_ts === null) throw new Error('it was not healed')
    if (!recovered) throw new Error('the system did not recover after it')
    const proofMs = Math.round((window.landed_ts - window.injected_ts) / 1e6)
    const shown = shows(window)
      .map((evidence) => `${changeInWords(evidence)} (${evidence.side})`)
      .join(', ')
    return `${window.mechanism}: ${shown}, proven in ${proofMs} ms`
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
