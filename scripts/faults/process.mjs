// The process faults, and the network faults that every kind of system offers, on processes and in containers.
import { nemesis } from '../../dist/src/nemesis/nemesis.js'
import { exercise, relayContainers, relayProcesses, relays } from './harness.mjs'

const places = { processes: relayProcesses, containers: relayContainers }
const window = { at: '1s', for: '2s' }

const faults = {
  kill: { node: 'leader', ...window },
  stop: { node: 'leader', ...window },
  pause: { node: 'leader', ...window },
  restart: { node: 'leader', at: '1s' },
  partition: { isolate: 'leader', ...window },
  'asymmetric-partition': { from: 'leader', to: 'n2', ...window },
  latency: { between: ['leader', 'others'], delay: '80ms', ...window },
}

export default Object.entries(faults).flatMap(([fault, options]) =>
  Object.entries(places).map(([place, nodes]) => ({
    fault,
    mechanism: place,
    run: () => exercise(nemesis(fault, options), { on: relays(nodes()) }),
  })),
)
