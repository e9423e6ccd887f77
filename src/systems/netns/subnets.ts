import { createHash } from 'node:crypto'
import { execa } from 'execa'
import { toolWithinMs } from '../tool-limit.js'
import { freeSubnets, parseCidr, type Cidr } from './subnet.js'

/** The subnets of the pool that this machine has no route into yet, in an order that differs from run to run. */
export async function subnetsToTry(
  pool: string,
  { run, hosts }: { run: string; hosts: number },
): Promise<Cidr[]> {
  const { stdout } = await execa('ip', ['-j', '-4', 'route', 'show'], { timeout: toolWithinMs })
  const start = createHash('sha256').update(run).digest().readUInt32BE(0)
  const whole = parseCidr(pool) as Cidr
  return freeSubnets(whole, { used: routesWithin(stdout, whole), hosts, start })
}

/** The destinations in `ip -j route show` that lead somewhere and are smaller than the pool. */
export function routesWithin(printed: string, pool: Cidr): Cidr[] {
  const routes = JSON.parse(printed) as readonly { dst: string; dev?: string }[]
  return routes
    .filter(({ dev }) => dev !== undefined)
    .flatMap(({ dst }) => parseCidr(dst.includes('/') ? dst : `${dst}/32`) ?? [])
    .filter(({ prefix }) => prefix > pool.prefix)
}
