import type { Link } from '../../capabilities.js'
import type { NamespaceNode } from '../namespaces.js'
import { nodeNamed } from '../node-named.js'
import type { FarEnd } from './nft-script.js'
import type { RuleContext } from './context.js'

/** The name of whatever drives the system: everything on the network that is not a node. */
export const clients = 'clients'

/** Links by the node at which traffic on them is judged: the receiver, or the sender where clients receive. */
export function byHolder(
  nodes: readonly NamespaceNode[],
  links: readonly Link[],
): Map<NamespaceNode, Link[]> {
  const holders = new Map<NamespaceNode, Link[]>()
  for (const link of links) {
    const holder = nodeNamed(nodes, link.to === clients ? link.from : link.to)
    holders.set(holder, [...(holders.get(holder) ?? []), link])
  }
  return holders
}

/** Where the other end of a link is, seen from the node that judges it. */
export async function farEndOf({ namespaces, nodes }: RuleContext, link: Link): Promise<FarEnd> {
  if (link.from !== clients && link.to !== clients) {
    const addresses = await namespaces.addressesOf(nodeNamed(nodes, link.from))
    return { direction: 'in', addresses, others: false }
  }
  const addresses = (await Promise.all(nodes.map((node) => namespaces.addressesOf(node)))).flat()
  return { direction: link.to === clients ? 'out' : 'in', addresses, others: true }
}
