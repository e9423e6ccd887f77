import { randomBytes } from 'node:crypto'
import { allOf } from '../all-of.js'
import { linkName, type Link, type LinkCounter } from '../../capabilities.js'
import type { NamespaceNode } from '../namespace/namespaces.js'
import { nftScript, type FarEnd, type Verdict } from './nft-script.js'
import { oneAtATime, whileRunning, type NamespaceRule, type RuleContext } from './context.js'
import { byHolder, farEndOf } from './far-end.js'
import { strayConnections } from './stray.js'
import { deleteTable, hasTable, readCounters } from './table.js'
import { readVictims } from './victims.js'

interface Count {
  met: number
  passed: number
}

/** The rule at one node: one nft table in its namespace. */
interface Part {
  readonly node: NamespaceNode
  readonly links: readonly Link[]
  readonly journalId: string
  ends: readonly FarEnd[]
  /** Counts of namespaces that are gone, one a link. */
  readonly before: Count[]
  /** Counts of the present namespace when they were last read. */
  last: Count[]
}

/**
 * Drops, rejects or only counts what crosses the links, each at the input of the node that receives (at the output of
 * the node that sends, where clients receive), by a table of its own in that node's network namespace.
 *
 * The sender's side is left alone: there, a refused packet would come back to the program as an error, which no
 * network does. A link in both directions is cut at both ends.
 */
export async function nftRule(
  context: RuleContext,
  links: readonly Link[],
  verdict: Verdict,
): Promise<NamespaceRule> {
  const { namespaces, entry, journal } = context
  const table = `nemesis_${randomBytes(5).toString('hex')}`
  const serially = oneAtATime()
  const parts: Part[] = []
  let removed = false

  const inside = <T>(part: Part, otherwise: T, act: () => Promise<T>): Promise<T> =>
    whileRunning({ namespaces, id: part.node.id, otherwise }, act)

  const apply = async (part: Part): Promise<void> => {
    part.ends = await Promise.all(part.links.map((link) => farEndOf(context, link)))
    await inside(part, undefined, async () => {
      await entry.run(part.node.id, ['nft', '-f', '-'], nftScript(table, verdict, part.ends))
    })
  }

  const readPart = async (part: Part): Promise<void> => {
    await inside(part, undefined, async () => {
      // A node that was started a moment ago has no table yet; its old counts are all there is.
      if (!(await hasTable(entry, part.node.id, table))) return
      const counters = await readCounters(entry, part.node.id, table)
      part.last = part.links.map((_, i) => ({
        met: counters.get(`met_${i}`) ?? 0,
        passed: counters.get(`passed_${i}`) ?? 0,
      }))
    })
  }

  const counters = async (): Promise<LinkCounter[]> => {
    await Promise.all(parts.map(readPart))
    return parts.flatMap((part) =>
      part.links.map((link, i) => {
        const [before, last] = [part.before[i] as Count, part.last[i] as Count]
        return { link, met: before.met + last.met, passed: before.passed + last.passed }
      }),
    )
  }

  const rule: NamespaceRule = {
    mechanism: `nft in the network namespace of ${[...new Set(links.map((link) => holderName(link)))].join(', ')} (${entry.mechanism})`,
    counters: () => serially(counters),
    victims: async () => (verdict === 'watch' ? [] : readVictims(context, links)),
    async bypasses() {
      if (verdict === 'watch') return []
      const passed = (await serially(counters))
        .filter((counter) => counter.passed > 0)
        .map((counter) => `${linkName(counter.link)}: ${counter.passed} packets came through the rule`)
      const stray = await Promise.all(
        parts.flatMap((part) =>
          part.links.map((link, i) => strayConnections(context, link, part.ends[i]?.addresses ?? [])),
        ),
      )
      return [...passed, ...stray.flat()]
    },
    remove: () =>
      serially(async () => {
        if (removed) return
        await Promise.all(
          parts.map((part) => inside(part, undefined, () => deleteTable(entry, part.node.id, table))),
        )
        removed = true
        await Promise.all(parts.map((part) => journal.close(part.journalId)))
      }),
    async present() {
      const there = await Promise.all(
        parts.map((part) => inside(part, false, () => hasTable(entry, part.node.id, table))),
      )
      return there.includes(true)
    },
    restarted: (node) =>
      serially(async () => {
        const part = parts.find((candidate) => candidate.node.name === node)
        if (removed || part === undefined) return
        if (await inside(part, true, () => hasTable(entry, part.node.id, table))) return
        part.before.forEach((count, i) => {
          count.met += part.last[i]?.met ?? 0
          count.passed += part.last[i]?.passed ?? 0
        })
        part.last = part.links.map(() => ({ met: 0, passed: 0 }))
        await apply(part)
      }),
  }

  try {
    for (const [node, held] of byHolder(context.nodes, links)) {
      const journalId = await journal.open(namespaces.tableUndo(node.id, table))
      const zeros = () => held.map(() => ({ met: 0, passed: 0 }))
      parts.push({ node, links: held, journalId, ends: [], before: zeros(), last: zeros() })
    }
    await allOf(parts.map(apply))
  } catch (error) {
    await rule.remove()
    throw error
  }
  return rule
}

function holderName(link: Link): string {
  return link.to === 'clients' ? link.from : link.to
}
