import { linkName, type Link } from '../../capabilities.js'
import { nodeNamed } from '../node-named.js'
import { establishedConnections, ownAddresses } from './connections.js'
import { whileRunning, type RuleContext } from './context.js'
import { clients } from './far-end.js'

/**
 * Established TCP connections between the two nodes of a link over an address that the rule does not cover, such as
 * that of a network which was joined later. Each is named for people.
 */
export async function strayConnections(
  context: RuleContext,
  link: Link,
  covered: readonly string[],
): Promise<string[]> {
  if (link.from === clients || link.to === clients) return []
  const { namespaces, nodes, entry } = context
  const [from, to] = [nodeNamed(nodes, link.from), nodeNamed(nodes, link.to)]
  const uncovered = await whileRunning({ namespaces, id: from.id, otherwise: [] }, async () => {
    const [routes, ipv6] = await Promise.all([
      entry.readNet(from.id, 'fib_trie'),
      entry.readNet(from.id, 'if_inet6').catch(() => ''), // Absent where the kernel has no IPv6.
    ])
    return ownAddresses(routes, ipv6).filter((address) => !covered.includes(address))
  })
  if (uncovered.length === 0) return []
  const connections = await whileRunning({ namespaces, id: to.id, otherwise: [] }, async () => {
    const [ipv4, ipv6] = await Promise.all([
      entry.readNet(to.id, 'tcp'),
      entry.readNet(to.id, 'tcp6').catch(() => ''),
    ])
    return [...establishedConnections(ipv4), ...establishedConnections(ipv6)]
  })
  return connections
    .filter((connection) => uncovered.includes(connection.remote))
    .map(
      ({ local, localPort, remote, remotePort }) =>
        `${linkName(link)}: TCP connection ${remote}:${remotePort} - ${local}:${localPort} is not covered by the rule`,
    )
}
