import type { Link, VictimReading } from '../../capabilities.js'
import { nodeNamed } from '../node-named.js'
import { whileRunning, type RuleContext } from './context.js'
import { clients } from './far-end.js'

/** One established connection as `ss -tinHO` prints it. */
export interface MeasuredConnection {
  readonly remote: string
  /** What was written and the far end has not acknowledged. */
  readonly waitingBytes: number
  /** The smoothed round-trip time that TCP itself measures. */
  readonly rttMs: number
}

/** States in which there may still be something to send. */
const sending = ['established', 'fin-wait-1', 'close-wait', 'last-ack'].flatMap((state) => ['state', state])

/** Reads the output of `ss -tinHO` for one state or several; with several it prints the state first. */
export function measuredConnections(printed: string): MeasuredConnection[] {
  const line = /^(?:[A-Z][\w-]*)?\s*\d+\s+(\d+)\s+\S+:\d+\s+(\S+):\d+\b.*?\brtt:([\d.]+)\//gm
  return [...printed.matchAll(line)].map((match) => ({
    remote: (match[2] as string).replace(/^\[(?:::ffff:)?(.*)\]$/, '$1').replace(/%.*$/, ''),
    waitingBytes: Number(match[1]),
    rttMs: Number(match[3]),
  }))
}

/** What to look for in the connections of nodes. */
export interface Suffering {
  /** What such a connection is called in evidence. */
  readonly what: string
  readonly shows: (connection: MeasuredConnection) => boolean
}

/** Connections with a round trip of so many milliseconds or more. */
export function slowFrom(rttMs: number): Suffering {
  return { what: `a round trip of ${rttMs} ms or more`, shows: (connection) => connection.rttMs >= rttMs }
}

/** Connections in which so many bytes or more wait. */
export function waitingFrom(bytes: number): Suffering {
  return { what: `${bytes} bytes or more waiting`, shows: ({ waitingBytes }) => waitingBytes >= bytes }
}

/**
 * How many connections the nodes at the ends of each link have to one another that show the signs, as TCP itself
 * measures them there. Nothing where `ss` is not there.
 */
export async function readConnections(
  context: RuleContext,
  links: readonly Link[],
  signs: readonly Suffering[],
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
        const printed = await entry.run(id, ['ss', '-tinHO', ...sending]).catch(() => null)
        if (printed === null) return []
        const own = measuredConnections(printed).filter(({ remote }) =>
          peer === clients ? !everyNode.includes(remote) : addresses.get(peer)?.includes(remote) === true,
        )
        return signs.map(({ what, shows }) => ({
          node: at,
          signal: `TCP connections to ${peer} with ${what}`,
          value: own.filter(shows).length,
        }))
      })
    }),
  )
  return readings.flat()
}
