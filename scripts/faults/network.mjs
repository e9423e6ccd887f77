// Network faults by each mechanism that the rows of the systems do not show already: the proxy between processes, and rules
// in the network namespaces of containers.
import { once } from 'node:events'
import { connect } from 'node:net'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { engineAt } from '../../dist/src/systems/docker/engine.js'
import { chooseEntry } from '../../dist/src/systems/docker/namespace/choose.js'
import { namespacesOfContainers } from '../../dist/src/systems/docker/namespace/of-containers.js'
import { delayByNetem } from '../../dist/src/systems/netns/rules/delay.js'
import { limitByQueue } from '../../dist/src/systems/netns/rules/limit.js'
import { loseByNetem, loseByQueue, loseByStatistic } from '../../dist/src/systems/netns/rules/lose.js'
import { workload } from '../../dist/src/workload/index.js'
import { exercise, relayContainers, relayProcesses, relays } from './harness.mjs'

const window = { at: '1s', for: '2s' }

/** Containers whose links obey other means than those that would be chosen: `means` gives methods of the network. */
function containersBy(means) {
  const provider = relayContainers()
  return {
    ...provider,
    async start(context) {
      const running = await provider.start(context)
      const engine = await engineAt(null)
      const nodes = await Promise.all(
        running.nodes.map(async ({ name, index, address }) => {
          const { Id: id } = await engine.getContainer(`nemesis-${context.runId}-${name}`).inspect()
          return { name, index, id, ip: address(7000).host }
        }),
      )
      const entry = await chooseEntry(
        { engine, run: context.runId, enter: 'auto', helperImage: null },
        nodes[0].id,
      )
      const rules = {
        nodes,
        entry,
        journal: context.journal,
        namespaces: namespacesOfContainers(engine, null),
      }
      return {
        ...running,
        network: { ...running.network, ...means(rules) },
        async stop() {
          await entry.close()
          await running.stop()
        },
      }
    },
  }
}

const proxy = () => relayProcesses()
const containers = () => relayContainers()
const helper = () => relayContainers({ enter: 'helper' })

function row(fault, mechanism, nodes, options, how = {}) {
  return {
    fault,
    mechanism,
    run: () => exercise(nemesis(fault, { ...options, ...window }), { on: relays(nodes()), ...how }),
  }
}

/** Clients that open a connection for every question. */
const callers = workload({
  clients: 3,
  think: '20ms',
  timeout: '600ms',
  operations: {
    read: {
      run: async ({ client: { socket }, signal }) => {
        const call = connect({ host: socket.remoteAddress, port: socket.remotePort })
        try {
          await once(call, 'connect', { signal })
          call.write('ping\n')
          const [data] = await once(call, 'data', { signal })
          return String(data).trim()
        } finally {
          call.on('error', () => {}).destroy()
        }
      },
    },
  },
})

const isolate = { isolate: 'leader' }
const left = { groups: [['clients'], ['n1']], established: 'left' }
const oneWay = { from: 'leader', to: 'others' }
const between = { between: ['leader', 'others'] }
const delay = { ...between, delay: '60ms' }
const loss = { ...between, share: 0.4 }
const seedOf = (options) => options?.seed ?? 1
/** Containers whose links lose packets in one way only. */
const losing = (by) => () =>
  containersBy((rules) => ({
    lose: (links, share, options) => by(rules, links, { share, seed: seedOf(options) }),
  }))

export default [
  row('partition', 'proxy, reject', proxy, { ...isolate, mode: 'reject' }),
  row('partition', 'nft in the namespace, reject', containers, { ...isolate, mode: 'reject' }),
  row('partition', 'nft by a helper container', helper, isolate),
  row('partition', 'proxy, open connections left', proxy, left, { workload: callers }),
  row('partition', 'nft in the namespace, open connections left', containers, left, { workload: callers }),
  row('partition', 'proxy, a ring of four', () => relayProcesses({ count: 4 }), { shape: 'ring' }),
  row('asymmetric-partition', 'proxy, connections', proxy, { ...oneWay, level: 'connections' }),
  row('asymmetric-partition', 'nft in the namespace, connections', containers, {
    ...oneWay,
    level: 'connections',
  }),
  row('packet-loss', 'nft numgen', containers, loss),
  row('packet-loss', 'iptables statistic', losing(loseByStatistic), loss),
  row('packet-loss', 'NFQUEUE', losing(loseByQueue), loss),
  row('packet-loss', 'tc netem', losing(loseByNetem), loss),
  row('packet-loss', 'proxy', proxy, loss),
  row(
    'latency',
    'tc netem',
    () =>
      containersBy((rules) => ({
        delay: (links, delayMs, jitterMs, options) =>
          delayByNetem(rules, links, { delayMs, jitterMs, seed: seedOf(options) }),
      })),
    delay,
  ),
  row('bandwidth', 'proxy, token bucket', proxy, { ...between, rate: '1kbit' }),
  row('bandwidth', 'tc tbf', containers, { ...between, rate: '16kbit' }),
  row(
    'bandwidth',
    'NFQUEUE, token bucket',
    () => containersBy((rules) => ({ limit: (links, rate) => limitByQueue(rules, links, rate) })),
    { ...between, rate: '16kbit' },
  ),
]
