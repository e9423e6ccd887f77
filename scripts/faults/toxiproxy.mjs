// Network faults by a real Toxiproxy server, where one is installed. Neither Debian nor npm has one, so on most machines
// these rows say that they are not possible.
import { spawn } from 'node:child_process'
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { findProgram } from '../../dist/src/systems/program.js'
import { reservePorts } from '../../dist/src/systems/proxy/reserved-ports.js'
import { toxiproxy } from '../../dist/src/systems/toxiproxy/toxiproxy.js'
import { exercise, relayProcesses, relays } from './harness.mjs'

const window = { at: '1s', for: '2s' }
const between = { between: ['clients', 'leader'] }

export default [
  row('partition', 'timeout', { groups: [['clients'], ['leader']] }),
  row('partition', 'reset_peer', { groups: [['clients'], ['leader']], mode: 'reject' }),
  row('asymmetric-partition', 'timeout', { from: 'clients', to: 'leader' }),
  row('latency', 'latency', { ...between, delay: '80ms' }),
]

function row(fault, toxic, options) {
  return {
    fault,
    mechanism: `Toxiproxy, ${toxic}`,
    run: () => exercise(nemesis(fault, { ...options, ...window }), { on: relays(behindToxiproxy()) }),
  }
}

/** Relay servers whose clients come through a proxy each. */
function behindToxiproxy() {
  const made = relayProcesses({ proxy: false })
  return {
    ...made,
    async start(context) {
      const program = findProgram('toxiproxy-server')
      if (program === null) {
        throw new Error('no Toxiproxy server in the Debian or npm registry, and no toxiproxy-server in PATH')
      }
      const undo = []
      const stop = async () => {
        for (const act of undo.splice(0).reverse()) await act()
      }
      try {
        const running = await made.start(context)
        undo.push(() => running.stop())
        const { ports, release } = await reservePorts(1)
        undo.push(release)
        const server = spawn(program, ['-proxy-metrics', '-port', String(ports[0])], {
          stdio: 'ignore',
          env: { ...process.env, NEMESIS_RUN: context.runId },
        })
        const gone = new Promise((resolve) => server.once('exit', resolve))
        undo.push(() => server.kill() && gone)
        const url = `http://127.0.0.1:${ports[0]}`
        for (const { name, address } of running.nodes) await create(url, name, String(address(7000)))
        const names = running.nodes.map(({ name }) => [name, { 7000: name }])
        const proxied = await toxiproxy({ url, nodes: Object.fromEntries(names) }).start(context)
        undo.push(() => proxied.stop())
        return { ...running, nodes: proxied.nodes, network: proxied.network, stop }
      } catch (error) {
        await stop()
        throw error
      }
    },
  }
}

/** Makes a proxy; the server may take a moment to answer. */
async function create(url, name, upstream) {
  const deadline = performance.now() + 10_000
  for (;;) {
    try {
      const answer = await fetch(`${url}/proxies`, {
        method: 'POST',
        body: JSON.stringify({ name, listen: '127.0.0.1:0', upstream }),
        signal: AbortSignal.timeout(5_000),
      })
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
