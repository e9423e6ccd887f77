import type { Link, VictimReading } from '../../capabilities.js'
import { nodeNamed } from '../node.js'
import { whileRunning, type RuleContext } from './context.js'
import { clients } from './far-end.js'

/** One established connection as `ss -tinHO` prints it. */
export interface RoundTrip {
  readonly remote: string
  readonly rttMs: number
}

/** Reads the smoothed round-trip times that TCP itself measured, from the output of `ss -tinHO state established`. */
export function roundTrips(printed: string): RoundTrip[] {
  return [...printed.matchAll(/^\s*\d+\s+\d+\s+\S+:\d+\s+(\S+):\d+\b.*?\brtt:([\d.]+)\//gm)].map((match) => ({
    remote: (match[1] as string).replace(/^\[(?:::ffff:)?(.*)\]$/, '$1').replace(/%.*$/, ''),
    rttMs: Number(match[2]),
  }))
}

/**
 * How many connections the nodes at the ends of each link have to one another whose round trip, as TCP itself measures
 * it there, is `fromMs` or more. Nothing where `ss` is not there.
 */
export async function readSlowConnections(
  context: RuleContext,
  links: readonly Link[],
  fromMs: number,
): Promise<VictimReading[]> {
  const { namespaces, nodes, entry } = context
  const addresses = new Map(
    await Promise.all(nodes.map(async (node) => [node.name, await namespaces.addressesOf(node)] as const)),
  )
  const everyNode = [...addresses.values()].flat()
  const views = links
    .flatMap(({ from, to }) => [
      { at: from, peer: to },
      { at: to, peer: from },
    ])
    .filter(({ at }) => at !== clients)
  const unique = [...new Map(views.map((view) => [`${view.at} ${view.peer}`, view])).values()]
  const readings = await Promise.all(
    unique.map(({ at, peer }) => {
      const { id } = nodeNamed(nodes, at)
      return whileRunning<VictimReading[]>({ namespaces, id, otherwise: [] }, async () => {
        const printed = await entry.run(id, ['ss', '-tinHO', 'state', 'established']).catch(() => null)
        if (printed === null) return []
        const slow = roundTrips(printed).filter(
          ({ remote, rttMs }) =>
            rttMs >= fromMs &&
            (peer === clients ? !everyNode.includes(remote) : addresses.get(peer)?.includes(remote) === true),
        )
        const signal = `TCP connections to ${peer} with a round trip of ${fromMs} ms or more`
        return [{ node: at, signal, value: slow.length }]
      })
    }),
  )
  return readings.flat()
}
