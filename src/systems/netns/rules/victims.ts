import type { Link, VictimReading } from '../../capabilities.js'
import type { NamespaceNode } from '../namespaces.js'
import { nodeNamed } from '../node-named.js'
import { whileRunning, type RuleContext } from './context.js'
import { clients } from './far-end.js'
import { victimReadings } from './net-statistics.js'

/** What the kernel counts in the namespaces of the nodes at both ends of the links. A node that is down says nothing. */
export async function readVictims(context: RuleContext, links: readonly Link[]): Promise<VictimReading[]> {
  const readings = await Promise.all(
    endsOf(context.nodes, links).map((node) =>
      whileRunning({ namespaces: context.namespaces, id: node.id, otherwise: [] }, async () => {
        const files = await Promise.all(
          ['snmp', 'netstat'].map((file) => context.entry.readNet(node.id, file)),
        )
        return victimReadings(node.name, files)
      }),
    ),
  )
  return readings.flat()
}

/** The nodes that are an end of one of the links. */
export function endsOf(nodes: readonly NamespaceNode[], links: readonly Link[]): NamespaceNode[] {
  const names = new Set(links.flatMap((link) => [link.from, link.to]))
  names.delete(clients)
  return [...names].map((name) => nodeNamed(nodes, name))
}
