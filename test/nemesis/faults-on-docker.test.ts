import { requires } from '../support/requirements.js'
import { faultsLandAndHeal } from './parity.js'
import { relayContainers, startForFaults } from './relays.js'

requires(
  'docker',
  'busybox',
  'nft',
)('faults on containers', () => {
  faultsLandAndHeal(() => startForFaults(relayContainers()))
})
