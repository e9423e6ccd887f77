import { expect, test } from 'vitest'
import { requires } from '../../support/requirements.js'
import { startContainers } from './containers.js'
import { networkRules } from './network-rules.js'

networkRules({ enter: 'nsenter', needs: ['docker', 'busybox', 'root', 'nft'], name: 'nsenter' })

requires('docker', 'busybox')('entering with nsenter', () => {
  test.skipIf(process.getuid?.() === 0)('is refused with a hint to who is not root', async () => {
    const containers = await startContainers({ enter: 'nsenter' })
    try {
      const cut = containers.network.block([{ from: 'n1', to: 'n2' }], 'drop')
      await expect(cut).rejects.toThrow(/run as root/)
    } finally {
      await containers.stop()
    }
  })
})
