import { describe } from 'vitest'
import { faultsLandAndHeal } from './parity.js'
import { relayProcesses, startForFaults } from './relays.js'

describe('faults on processes', () => {
  faultsLandAndHeal(() => startForFaults(relayProcesses()))
})
