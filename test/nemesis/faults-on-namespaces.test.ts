import { requires } from '../support/requirements.js'
import { faultsLandAndHeal } from './parity.js'
import { relayProcesses, startForFaults } from './relays.js'

requires(
  'linux',
  'root',
  'nft',
)('faults on processes in network namespaces', () => {
  const nodes = relayProcesses({
    network: 'namespaces',
    env: ({ listen, self, peers }) => ({
      HOST: self(7000).host,
      PORT: String(listen(7000)),
      PEERS: peers.join(','),
    }),
  })
  faultsLandAndHeal(() => startForFaults(nodes))
})
