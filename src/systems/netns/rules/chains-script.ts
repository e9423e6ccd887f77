import type { FarEnd } from './nft-script.js'

/**
 * The table of iptables that chains live in. A verdict of a queue ends the way through one table, so that what delays
 * and what drops or holds back are in tables of their own, and both take effect on the same link.
 */
export type ChainTable = 'filter' | 'mangle'

/** A link that is judged at one node, with what happens to its packets there: each of these becomes a rule. */
export interface JudgedEnd extends FarEnd {
  readonly targets: readonly string[]
}

const hooks = [
  { direction: 'in', hook: 'INPUT', device: '-i', field: '-s' },
  { direction: 'out', hook: 'OUTPUT', device: '-o', field: '-d' },
] as const

/**
 * The rules of one IP family, in the language of `iptables-restore --noflush`: chains of their own, `<chain>_in` and
 * `<chain>_out`. Null when the family has nothing to judge.
 */
export function chainsScript(
  { table, chain }: { readonly table: ChainTable; readonly chain: string },
  ends: readonly JudgedEnd[],
  family: 'ipv4' | 'ipv6',
): string | null {
  const lines = hooks.flatMap(({ direction, hook, device, field }) => {
    const own = ends
      .filter((end) => end.direction === direction)
      .map((end) => ({ ...end, addresses: end.addresses.filter((address) => familyOf(address) === family) }))
      .filter((end) => end.addresses.length > 0)
    if (own.length === 0) return []
    const name = `${chain}_${direction}`
    // Named far ends come first; what is left after the nodes have returned is the clients'.
    return [
      `:${name} - [0:0]`,
      `-A ${name} ${device} lo -j RETURN`,
      ...own
        .filter((end) => !end.others)
        .flatMap(({ addresses, targets }) =>
          addresses.flatMap((address) => targets.map((target) => `-A ${name} ${field} ${address} ${target}`)),
        ),
      ...own
        .filter((end) => end.others)
        .flatMap(({ addresses, targets }) => [
          ...addresses.map((address) => `-A ${name} ${field} ${address} -j RETURN`),
          ...targets.map((target) => `-A ${name} ${target}`),
        ]),
      `-I ${hook} -j ${name}`,
    ]
  })
  return lines.length === 0 ? null : [`*${table}`, ...lines, 'COMMIT', ''].join('\n')
}

/** What takes the chains of a rule away again that `iptables -S` lists in the table; null when it lists none. */
export function undoScript(
  { table, chain }: { readonly table: ChainTable; readonly chain: string },
  listed: string,
): string | null {
  const lines = hooks.flatMap(({ direction, hook }) => {
    const name = `${chain}_${direction}`
    if (!listed.includes(`-N ${name}\n`)) return []
    const jumps = listed.includes(`-A ${hook} -j ${name}\n`) ? [`-D ${hook} -j ${name}`] : []
    return [...jumps, `-F ${name}`, `-X ${name}`]
  })
  return lines.length === 0 ? null : [`*${table}`, ...lines, 'COMMIT', ''].join('\n')
}

/** Packets that the rules have sent to each queue, from the output of `iptables -nvxL`. */
export function queuedPackets(listing: string): ReadonlyMap<number, number> {
  return packetsBy(listing, /^\s*(\d+)\s+\d+\s+NFQUEUE\b.*\bnum (\d+)/gm)
}

/** Packets that met rules with the comment `seen <i>` or `met <i>`, by `i`, from the output of `iptables -nvxL`. */
export function commentedPackets(listing: string, word: 'seen' | 'met'): ReadonlyMap<number, number> {
  return packetsBy(listing, new RegExp(`^\\s*(\\d+)\\s.*/\\* ${word} (\\d+) \\*/`, 'gm'))
}

function packetsBy(listing: string, line: RegExp): ReadonlyMap<number, number> {
  const packets = new Map<number, number>()
  for (const match of listing.matchAll(line)) {
    const [count, key] = match.slice(1).map(Number) as [number, number]
    packets.set(key, (packets.get(key) ?? 0) + count)
  }
  return packets
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
