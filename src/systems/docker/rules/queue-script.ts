import type { FarEnd } from './nft-script.js'

/** A link that is delayed at one container, and the queue that its packets go to. */
export interface QueuedEnd extends FarEnd {
  readonly queue: number
}

const hooks = [
  { direction: 'in', hook: 'INPUT', device: '-i', field: '-s' },
  { direction: 'out', hook: 'OUTPUT', device: '-o', field: '-d' },
] as const

/**
 * The rules of one IP family that feed the queues, in the language of `iptables-restore --noflush`: chains of their own,
 * `<chain>_in` and `<chain>_out`. `--queue-bypass` lets packets through when nothing serves the queue, so that a run
 * that was killed leaves no cut behind. Null when the family has nothing to delay.
 */
export function queueScript(
  chain: string,
  ends: readonly QueuedEnd[],
  family: 'ipv4' | 'ipv6',
): string | null {
  const lines = hooks.flatMap(({ direction, hook, device, field }) => {
    const own = ends
      .filter((end) => end.direction === direction)
      .map((end) => ({ ...end, addresses: end.addresses.filter((address) => familyOf(address) === family) }))
      .filter((end) => end.addresses.length > 0)
    if (own.length === 0) return []
    const name = `${chain}_${direction}`
    const queue = (end: QueuedEnd) => `-j NFQUEUE --queue-num ${end.queue} --queue-bypass`
    // Named far ends come first; what is left after the nodes have returned is the clients'.
    return [
      `:${name} - [0:0]`,
      `-A ${name} ${device} lo -j RETURN`,
      ...own
        .filter((end) => !end.others)
        .flatMap((end) => end.addresses.map((address) => `-A ${name} ${field} ${address} ${queue(end)}`)),
      ...own
        .filter((end) => end.others)
        .flatMap((end) => [
          ...end.addresses.map((address) => `-A ${name} ${field} ${address} -j RETURN`),
          `-A ${name} ${queue(end)}`,
        ]),
      `-I ${hook} -j ${name}`,
    ]
  })
  return lines.length === 0 ? null : ['*filter', ...lines, 'COMMIT', ''].join('\n')
}

/** What takes the rules of `queueScript` away again: the same chains, emptied and deleted. */
export function undoScript(script: string): string {
  const chains = [...script.matchAll(/^-I (\S+) -j (\S+)$/gm)].map(
    (match) => match.slice(1) as [string, string],
  )
  return [
    '*filter',
    ...chains.flatMap(([hook, chain]) => [`-D ${hook} -j ${chain}`, `-F ${chain}`, `-X ${chain}`]),
    'COMMIT',
    '',
  ].join('\n')
}

/** Packets that the rules have sent to each queue, from the output of `iptables -nvxL`. */
export function queuedPackets(listing: string): Map<number, number> {
  const packets = new Map<number, number>()
  for (const match of listing.matchAll(/^\s*(\d+)\s+\d+\s+NFQUEUE\b.*\bnum (\d+)/gm)) {
    const [count, queue] = match.slice(1).map(Number) as [number, number]
    packets.set(queue, (packets.get(queue) ?? 0) + count)
  }
  return packets
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
