import { randomBytes } from 'node:crypto'
import type { Link } from '../../capabilities.js'
import { nftScript, type FarEnd, type NftEffect } from './nft-script.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { byHolder, farEndOf } from './far-end.js'
import { ruleInNamespaces, type Count, type Place } from './in-namespaces.js'
import { strayConnections } from './stray.js'
import { deleteTable, hasTable, readCounters } from './table.js'
import { readVictims } from './victims.js'

/**
 * Drops, rejects, loses a share of, or only counts what crosses the links, each at the input of the node that receives
 * (at the output of the node that sends, where clients receive), by a table of its own in that node's network namespace.
 *
 * The sender's side is left alone: there, a refused packet would come back to the program as an error, which no
 * network does. A link in both directions is cut at both ends.
 */
export async function nftRule(
  context: RuleContext,
  links: readonly Link[],
  effect: NftEffect,
): Promise<NamespaceRule> {
  const { entry } = context
  const table = `nemesis_${randomBytes(5).toString('hex')}`
  const ends = new Map<Link, FarEnd>()
  const places = [...byHolder(context.nodes, links)].map(([node, held]): Place => ({
    node,
    links: held,
    leaves: { kind: 'nft-table', table },
    installed: {
      async put() {
        const now = await Promise.all(held.map((link) => farEndOf(context, link)))
        held.forEach((link, i) => ends.set(link, now[i] as FarEnd))
        await entry.run(node.id, ['nft', '-f', '-'], nftScript(table, effect, now))
      },
      present: () => hasTable(entry, node.id, table),
      async read() {
        const packets = await readCounters(entry, node.id, table)
        if (packets === null) return null
        return held.map((_, i) => countOf(effect, (name) => packets.get(`${name}_${i}`) ?? 0))
      },
      takeOut: () => deleteTable(entry, node.id, table),
    },
  }))
  return ruleInNamespaces(context, {
    mechanism: `nft${effect.kind === 'lose' ? ' numgen' : ''} in the network namespace of ${places.map(({ node }) => node.name).join(', ')} (${entry.mechanism})`,
    places,
    victims: async () => (effect.kind === 'watch' ? [] : readVictims(context, links)),
    async bypasses() {
      // Connections that are left on purpose may go over any address.
      if (effect.kind === 'watch' || ('established' in effect && effect.established === 'left')) return []
      const stray = await Promise.all(
        links.map((link) => strayConnections(context, link, ends.get(link)?.addresses ?? [])),
      )
      return stray.flat()
    },
  })
}

function countOf({ kind }: NftEffect, counter: (name: string) => number): Count {
  const met = counter('met')
  if (kind === 'lose') return { met, passed: Math.max(0, counter('seen') - met), missed: 0, heldMs: 0 }
  const passed = counter('passed')
  return { met, passed, missed: kind === 'watch' ? 0 : passed, heldMs: 0 }
}
