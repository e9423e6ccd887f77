import { randomBytes } from 'node:crypto'
import type { Link, NetworkRule } from '../../capabilities.js'
import { commentedPackets } from './chains-script.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { byHolder, farEndOf } from './far-end.js'
import { ruleInNamespaces, type Place } from './in-namespaces.js'
import { chainsPresent, listChains, putChains, removeChains } from './iptables.js'

/**
 * Loses a share of the packets on the links, each at the input of the node that receives, by the `statistic` match of
 * iptables: for kernels whose nft cannot draw numbers.
 */
export async function statisticRule(
  context: RuleContext,
  links: readonly Link[],
  { share, victims }: { readonly share: number; readonly victims: NetworkRule['victims'] },
): Promise<NamespaceRule> {
  const { entry } = context
  const chain = `NEMESIS_${randomBytes(5).toString('hex')}`
  const places = [...byHolder(context.nodes, links)].map(([node, held]): Place => {
    const chains = { id: node.id, table: 'mangle', chain } as const
    return {
      node,
      links: held,
      leaves: { kind: 'iptables-chains', chain },
      installed: {
        async put() {
          const ends = await Promise.all(
            held.map(async (link, i) => ({
              ...(await farEndOf(context, link)),
              targets: [
                `-m comment --comment "seen ${i}"`,
                `-m statistic --mode random --probability ${share} -m comment --comment "met ${i}" -j DROP`,
              ],
            })),
          )
          await putChains(entry, chains, { ends, needs: 'statistic' })
        },
        present: () => chainsPresent(entry, chains),
        async read() {
          if (!(await chainsPresent(entry, chains))) return null
          const listing = await listChains(entry, chains)
          const [seen, met] = [commentedPackets(listing, 'seen'), commentedPackets(listing, 'met')]
          return held.map((_, i) => {
            const lost = met.get(i) ?? 0
            return { met: lost, passed: Math.max(0, (seen.get(i) ?? 0) - lost), missed: 0, heldMs: 0 }
          })
        },
        takeOut: () => removeChains(entry, chains),
      },
    }
  })
  return ruleInNamespaces(context, {
    mechanism: `iptables statistic in the network namespace of ${places.map(({ node }) => node.name).join(', ')} (${entry.mechanism})`,
    places,
    victims,
  })
}
