import { randomInt } from 'node:crypto'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { unusedSubnets } from '../../../src/systems/docker/run-network.js'
import { addressIn, cidrText, type Cidr } from '../../../src/systems/netns/subnet.js'

/** A subnet of the pool that nothing uses now, with its addresses. */
export async function unusedSubnet(
  pool = '10.213.0.0/16',
): Promise<{ text: string; address(offset: number): string }> {
  const options = { pool, hosts: 10, start: randomInt(256) }
  const [subnet] = (await unusedSubnets(await engineAt(null), options)) as [Cidr]
  return { text: cidrText(subnet), address: (offset) => addressIn(subnet, offset) }
}
