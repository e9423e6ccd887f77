// Faults on the other kinds of systems: processes in network namespaces, containers that another tool has started, and
// an engine that is reached over TCP, where helper containers put the rules in and ports are published.
import { join } from 'node:path'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { docker } from '../../dist/src/systems/docker/index.js'
import { startEngineRelay } from '../engine-relay.mjs'
import { exercise, relayContainers, relayProcesses, relays } from './harness.mjs'

const window = { at: '1s', for: '2s' }
const process_ = { kill: { node: 'leader', ...window }, pause: { node: 'leader', ...window } }
const network = {
  partition: { isolate: 'leader', ...window },
  'asymmetric-partition': { from: 'leader', to: 'n2', ...window },
  'packet-loss': { between: ['leader', 'others'], share: 0.5, ...window },
  latency: { between: ['leader', 'others'], delay: '80ms', ...window },
  bandwidth: { between: ['leader', 'others'], rate: '8kbit', ...window },
}

const rows = [
  ...rowsOf('processes in network namespaces', { ...process_, ...network }, inNamespaces),
  ...rowsOf(
    'adopted containers',
    { ...process_, partition: network.partition, latency: network.latency },
    adopted,
  ),
  ...rowsOf(
    'containers of an engine over TCP',
    { kill: process_.kill, partition: network.partition },
    overTcp,
  ),
]
export default rows

function rowsOf(mechanism, faults, nodes) {
  return Object.entries(faults).map(([fault, options]) => ({
    fault,
    mechanism,
    run: () => exercise(nemesis(fault, options), { on: relays(nodes()) }),
  }))
}

function inNamespaces() {
  return relayProcesses({
    network: 'namespaces',
    env: ({ listen, self, peers }) => ({
      HOST: self(7000).host,
      PORT: String(listen(7000)),
      PEERS: peers.join(','),
    }),
  })
}

/** The relay servers in containers of a run of their own, as another tool would start them. */
function adopted() {
  const made = relayContainers()
  return around(made, async (context) => {
    const runId = `${context.runId}-other`
    const other = await made.start({ ...context, runId, logsDir: join(context.logsDir, 'other') })
    const names = other.nodes.map(({ name }) => `nemesis-${runId.replace(/[^a-zA-Z0-9_.-]/g, '-')}-${name}`)
    const provider = docker.adopt(names, { ports: [7000] })
    return { provider, after: () => other.stop() }
  })
}

/**
 * The engine of this machine, as one that is known by a TCP address only: that of FAULTS_ENGINE, which outlives this
 * process, else of a relay in it.
 */
function overTcp() {
  return around(relayContainers(), async () => {
    const given = process.env['FAULTS_ENGINE']
    const relay = given === undefined ? await startEngineRelay() : { host: given, close: () => {} }
    return {
      provider: relayContainers({ host: relay.host, reach: 'published', enter: 'helper' }),
      after: async () => relay.close(),
    }
  })
}

/** A provider that prepares something before the system is started, and takes it away after it was stopped. */
function around(like, prepare) {
  return {
    kind: like.kind,
    count: like.count,
    missing: () => like.missing(),
    async start(context) {
      const { provider, after } = await prepare(context)
      try {
        const system = await provider.start(context)
        return { ...system, stop: () => system.stop().finally(after) }
      } catch (error) {
        await after()
        throw error
      }
    },
  }
}
