import { DeclarationError } from '../../errors.js'

/** A range of IPv4 addresses: `base` is its first address as an unsigned 32-bit number. */
export interface Cidr {
  readonly base: number
  readonly prefix: number
}

/** Reads `10.213.0.0/16`. Null when it is not an IPv4 range; bits after the prefix are cleared. */
export function parseCidr(text: string): Cidr | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text)
  if (match === null) return null
  const [a, b, c, d, prefix] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (Math.max(a, b, c, d) > 255 || prefix > 32) return null
  const address = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
  return { base: address - (address % sizeOf(prefix)), prefix }
}

/** `10.213.4.0/24` */
export function cidrText(cidr: Cidr): string {
  return `${addressIn(cidr, 0)}/${cidr.prefix}`
}

/** The address at `offset` from the start of the range. */
export function addressIn(cidr: Cidr, offset: number): string {
  const address = cidr.base + offset
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

/**
 * The subnets of `pool` that overlap none of `used` and hold `hosts` nodes besides the gateway, as `/24` or smaller.
 * They come in an order that starts at a place given by `start`, so that runs beside one another rarely meet.
 *
 * Throws DeclarationError when the pool is too small for the nodes.
 */
export function freeSubnets(
  pool: Cidr,
  { used, hosts, start }: { used: readonly Cidr[]; hosts: number; start: number },
): Cidr[] {
  const prefix = Math.max(pool.prefix, 24)
  // Network address, gateway and broadcast address are taken.
  if (sizeOf(prefix) < hosts + 3) {
    throw new DeclarationError('pool', `pool: ${cidrText(pool)} has no room for ${hosts} nodes`, {
      hint: 'name a larger range of private addresses, such as 10.213.0.0/16',
    })
  }
  const count = 2 ** (prefix - pool.prefix)
  return Array.from({ length: count }, (_, i) => ({
    base: pool.base + ((start + i) % count) * sizeOf(prefix),
    prefix,
  })).filter((subnet) => !used.some((other) => overlap(subnet, other)))
}

function overlap(a: Cidr, b: Cidr): boolean {
  return a.base < b.base + sizeOf(b.prefix) && b.base < a.base + sizeOf(a.prefix)
}

function sizeOf(prefix: number): number {
  return 2 ** (32 - prefix)
}
