import { randomInt } from 'node:crypto'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { unusedSubnets } from '../../../src/systems/docker/run-network.js'
import { addressIn, cidrText, type Cidr } from '../../../src/systems/netns/subnet.js'
import { cli } from './containers.js'

interface UnusedSubnet {
  readonly text: string
  address(offset: number): string
}

/** A subnet of the pool that nothing uses now, with its addresses. */
export async function unusedSubnet(pool = '10.213.0.0/16'): Promise<UnusedSubnet> {
  const options = { pool, hosts: 10, start: randomInt(256) }
  const [subnet] = (await unusedSubnets(await engineAt(null), options)) as [Cidr]
  return { text: cidrText(subnet), address: (offset) => addressIn(subnet, offset) }
}

/** Makes a network of the engine; another one when somebody takes its subnet between the choice and the use. */
export async function createNetwork(name: string, ...options: readonly string[]): Promise<UnusedSubnet> {
  for (let attempt = 1; ; attempt += 1) {
    const subnet = await unusedSubnet()
    const printed = await cli('network', 'create', '--subnet', subnet.text, ...options, name)
    if (/^[0-9a-f]{64}$/.test(printed)) return subnet
    if (attempt === 5 || !printed.includes('overlaps')) throw new Error(printed)
  }
}
