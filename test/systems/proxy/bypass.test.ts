import { describe, expect, onTestFinished, test } from 'vitest'
import type { NetworkRule } from '../../../src/systems/capabilities.js'
import { parseSocketTable } from '../../../src/systems/proxy/socket-table.js'
import type { Address } from '../../../src/systems/system.js'
import { LineClient } from '../line-client.js'
import { startLineServers, type Started } from '../running.js'

const onLinux = process.platform === 'linux'

function dial(address: Address | undefined): LineClient {
  const client = new LineClient(address as Address)
  onTestFinished(() => client.close())
  return client
}

async function cutPeers({ network }: Started): Promise<NetworkRule> {
  return network.block(
    [
      { from: 'n1', to: 'n2' },
      { from: 'n2', to: 'n1' },
    ],
    'drop',
  )
}

describe('traffic round the proxy', { skip: !onLinux }, () => {
  test('between nodes is named', async () => {
    const started = await startLineServers({ count: 2 })
    const one = dial(started.nodes[0]?.address(7000))
    await one.ask(`ask ${started.launches[0]?.peers[0]?.address(7000)} ping`)
    const rule = await cutPeers(started)
    expect(await rule.bypasses()).toEqual([])

    const leaked = started.launches[1]?.self(7000) as Address
    expect(await one.ask(`ask ${leaked} ping`)).toBe('pong n2')
    const name = `n1 talks to n2 directly (127.0.0.1:${leaked.port}), not through the proxy`
    expect(await rule.bypasses()).toEqual([name])
    // It was seen while the rule was in place, so it stays on record.
    await one.ask(`hangup ${leaked}`)
    await rule.remove()
    expect(await rule.bypasses()).toEqual([name])
  })

  test('that is over before anybody asks is noticed in passing', async () => {
    const started = await startLineServers({ count: 2 })
    const two = dial(started.nodes[1]?.address(7000))
    const rule = await cutPeers(started)
    const leaked = started.launches[0]?.self(7000) as Address
    await two.ask(`ask ${leaked} ping`)
    // The look in passing has a timer of this process as well: it falls behind only when these do.
    for (let look = 0; look < 8; look += 1) await new Promise((resolve) => setTimeout(resolve, 250))
    await two.ask(`hangup ${leaked}`)
    await expect.poll(() => rule.bypasses()).toHaveLength(1)
  })

  test('from clients is named, and on links without the rule it is not', async () => {
    const started = await startLineServers({ count: 2 })
    await dial(started.nodes[0]?.address(7000)).ask('ping')
    const cutPeersOnly = await cutPeers(started)
    const cutClients = await started.network.block([{ from: 'clients', to: 'n1' }], 'drop')
    expect(await cutClients.bypasses()).toEqual([])
    await dial(started.launches[0]?.self(7000)).ask('ping')
    await started.lifecycle.probe('n1', 20_000)
    expect(await cutClients.bypasses()).toEqual([
      expect.stringMatching(/^clients talk to n1 directly \(127\.0\.0\.1:\d+\), not through the proxy$/),
    ])
    expect(await cutPeersOnly.bypasses()).toEqual([])
  })

  test('is not suspected in probes and in the proxy itself', async () => {
    const started = await startLineServers()
    const rule = await started.network.block([{ from: 'n1', to: 'clients' }], 'drop')
    for (let round = 0; round < 20; round++) {
      const [probed, bypasses] = await Promise.all([started.lifecycle.probe('n1', 20_000), rule.bypasses()])
      expect(probed).toBe('answers')
      expect(bypasses).toEqual([])
      const client = dial(started.nodes[0]?.address(7000))
      void client.ask('ping').catch(() => null)
    }
  })
})

test('the socket table is read for both address families', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:A017 0100007F:5208 01 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 20 4 30 10 -1',
    '   1: 0100007F:5208 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0 0 10 0',
    '   2: 0000000000000000FFFF00000100007F:A018 0000000000000000FFFF00000100007F:5208 01 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 20 4 30 10 -1',
    '   3: 00000000000000000000000001000000:A019 00000000000000000000000001000000:5208 01 00000000:00000000 00:00000000 00000000     0        0 4714 1 0 20 4 30 10 -1',
  ].join('\n')
  expect(parseSocketTable(table)).toEqual([
    { localPort: 40983, remotePort: 21000, remoteHost: '127.0.0.1', inode: '4711' },
    { localPort: 40984, remotePort: 21000, remoteHost: '127.0.0.1', inode: '4713' },
    { localPort: 40985, remotePort: 21000, remoteHost: '0:0:0:0:0:0:0:1', inode: '4714' },
  ])
})
