import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { EnvironmentError, messageOf } from '../../errors.js'
import { runLabel, statusOf, type Engine } from './engine.js'
import { ownAddresses } from '../netns/rules/connections.js'
import { addressIn, cidrText, freeSubnets, parseCidr, type Cidr } from '../netns/subnet.js'

/** The run's own bridge network. */
export interface RunNetwork {
  readonly name: string
  readonly subnet: Cidr
  /** The engine's host as containers see it. */
  readonly gateway: string
  /** True when the gateway is an address of this machine: then containers can be reached at their own addresses. */
  readonly local: boolean
}

/**
 * Makes the run's network with an explicit subnet from the pool, so that addresses can be fixed. Another run may take
 * the same subnet at the same time; the engine refuses one of both, which then takes the next.
 */
export async function createRunNetwork(
  engine: Engine,
  { run, name, pool, hosts }: { run: string; name: string; pool: string; hosts: number },
): Promise<RunNetwork> {
  const start = createHash('sha256').update(run).digest().readUInt32BE(0)
  const free = await unusedSubnets(engine, { pool, hosts, start })
  let refusal = 'every subnet is in use'
  for (const subnet of free.slice(0, 20)) {
    const gateway = addressIn(subnet, 1)
    try {
      await engine.createNetwork({
        Name: name,
        Driver: 'bridge',
        IPAM: { Driver: 'default', Config: [{ Subnet: cidrText(subnet), Gateway: gateway }] },
        Labels: { [runLabel]: run },
      })
      return { name, subnet, gateway, local: await isOurs(gateway) }
    } catch (error) {
      if (statusOf(error) !== 403 && !/overlap/.test(messageOf(error))) throw error
      refusal = messageOf(error)
    }
  }
  throw new EnvironmentError(
    'a free subnet',
    `no subnet of ${pool} can be had: ${refusal}`,
    'remove unused networks (docker network prune), or name another range: docker({ pool })',
  )
}

/** The subnets of the pool that neither a network of the engine nor this machine has, as `freeSubnets` orders them. */
export async function unusedSubnets(
  engine: Engine,
  { pool, hosts, start }: { pool: string; hosts: number; start: number },
): Promise<Cidr[]> {
  const whole = parseCidr(pool) as Cidr
  const networks = (await engine.listNetworks())
    .flatMap((network) => network.IPAM?.Config ?? [])
    .flatMap(({ Subnet: subnet }) => parseCidr(subnet ?? '') ?? [])
  return freeSubnets(whole, { used: [...networks, ...subnetsHere(whole)], hosts, start })
}

/** Subnets of the pool that this machine has an address in, such as those of processes in namespaces. */
function subnetsHere(pool: Cidr): Cidr[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ cidr }) => parseCidr(cidr ?? '') ?? [])
    .filter(({ prefix }) => prefix > pool.prefix)
}

/**
 * True for an address of this machine. Asks the kernel, as the list of interfaces leaves out a bridge that has no
 * container on it yet.
 */
export async function isOurs(address: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return ownAddresses(await readFile('/proc/net/fib_trie', 'utf8'), '').includes(address)
}
