import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Link, Network } from '../capabilities.js'
import type { NamespaceExec } from './exec.js'
import type { NamespaceNode, Namespaces } from './namespaces.js'
import type { NamespaceRule, RuleContext } from './rules/context.js'
import { delayLinks } from './rules/delay.js'
import { clients } from './rules/far-end.js'
import { limitLinks } from './rules/limit.js'
import { loseLinks } from './rules/lose.js'
import { nftRule } from './rules/nft-rule.js'

/** Network faults on nodes, by rules in their own network namespaces. */
export interface NamespaceNetwork extends Network {
  /** A node has been started: puts every rule on it back where its namespace is a new one. */
  restarted(node: string): Promise<void>
  /** Takes away every rule and whatever was made to put them in. */
  close(): Promise<void>
}

export interface NamespaceNetworkOptions {
  readonly nodes: readonly NamespaceNode[]
  readonly namespaces: Namespaces
  readonly journal: UndoJournal
  /** Finds the way in; asked when the first rule is put in, and again only after it has failed. */
  readonly enter: () => Promise<NamespaceExec>
}

/** Rules can be put on every ordered pair of nodes, and on clients to and from every node. */
export function namespaceNetwork(options: NamespaceNetworkOptions): NamespaceNetwork {
  const { nodes, namespaces, journal } = options
  const names = [clients, ...nodes.map((node) => node.name)]
  const rules = new Set<NamespaceRule>()
  let chosen: Promise<NamespaceExec> | null = null

  const contextNow = async (): Promise<RuleContext> => {
    chosen ??= options.enter()
    chosen.catch(() => {
      // The caller gets the failure; the next rule tries again.
      chosen = null
    })
    return { nodes, namespaces, journal, entry: await chosen }
  }

  const keep = (rule: NamespaceRule): NamespaceRule => {
    rules.add(rule)
    return {
      ...rule,
      async remove() {
        await rule.remove()
        rules.delete(rule)
      },
    }
  }

  return {
    links: names.flatMap((from) => names.filter((to) => to !== from).map((to): Link => ({ from, to }))),
    block: async (links, mode, how = {}) =>
      keep(await nftRule(await contextNow(), links, { kind: mode, ...how })),
    delay: async (links, delayMs, jitterMs, { seed = 1 } = {}) =>
      keep(await delayLinks(await contextNow(), links, { delayMs, jitterMs, seed })),
    lose: async (links, share, { seed = 1 } = {}) =>
      keep(await loseLinks(await contextNow(), links, { share, seed })),
    limit: async (links, bitsPerSecond) => keep(await limitLinks(await contextNow(), links, bitsPerSecond)),
    watch: async (links) => keep(await nftRule(await contextNow(), links, { kind: 'watch' })),
    async restarted(node) {
      await Promise.all([...rules].map((rule) => rule.restarted(node)))
    },
    async close() {
      await Promise.all([...rules].map((rule) => rule.remove()))
      rules.clear()
      if (chosen !== null) await (await chosen).close()
    },
  }
}
