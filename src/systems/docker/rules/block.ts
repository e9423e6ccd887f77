import { randomBytes } from 'node:crypto'
import { allOf } from '../all-of.js'
import { linkName, type Link, type LinkCounter } from '../../capabilities.js'
import type { DockerNode } from '../node.js'
import { blockScript, type FarEnd } from './block-script.js'
import { oneAtATime, whileRunning, type NamespaceRule, type RuleContext } from './context.js'
import { byHolder, farEndOf } from './far-end.js'
import { strayConnections } from './stray.js'
import { deleteTable, hasTable, readCounters } from './table.js'
import { readVictims } from './victims.js'

interface Count {
  met: number
  passed: number
}

/** The cut at one node: one nft table in its namespace. */
interface Cut {
  readonly node: DockerNode
  readonly links: readonly Link[]
  readonly journalId: string
  ends: readonly FarEnd[]
  /** Counts of namespaces that are gone, one a link. */
  readonly before: Count[]
  /** Counts of the present namespace when they were last read. */
  last: Count[]
}

/**
 * Cuts the links, each at the input of the node that receives (at the output of the node that sends, where clients
 * receive), by a table of its own in that node's network namespace.
 *
 * The sender's side is left alone: there, a refused packet would come back to the program as an error, which no
 * network does. A link in both directions is cut at both ends.
 */
export async function blockLinks(
  context: RuleContext,
  links: readonly Link[],
  mode: 'drop' | 'reject',
): Promise<NamespaceRule> {
  const { engine, entry, journal, host } = context
  const table = `nemesis_${randomBytes(5).toString('hex')}`
  const serially = oneAtATime()
  const cuts: Cut[] = []
  let removed = false

  const inside = <T>(cut: Cut, otherwise: T, act: () => Promise<T>): Promise<T> =>
    whileRunning({ engine, id: cut.node.id, otherwise }, act)

  const apply = async (cut: Cut): Promise<void> => {
    cut.ends = await Promise.all(cut.links.map((link) => farEndOf(context, link)))
    await inside(cut, undefined, async () => {
      await entry.run(cut.node.id, ['nft', '-f', '-'], blockScript(table, mode, cut.ends))
    })
  }

  const readCut = async (cut: Cut): Promise<void> => {
    await inside(cut, undefined, async () => {
      // A node that was started a moment ago has no table yet; its old counts are all there is.
      if (!(await hasTable(entry, cut.node.id, table))) return
      const counters = await readCounters(entry, cut.node.id, table)
      cut.last = cut.links.map((_, i) => ({
        met: counters.get(`met_${i}`) ?? 0,
        passed: counters.get(`passed_${i}`) ?? 0,
      }))
    })
  }

  const counters = async (): Promise<LinkCounter[]> => {
    await Promise.all(cuts.map(readCut))
    return cuts.flatMap((cut) =>
      cut.links.map((link, i) => {
        const [before, last] = [cut.before[i] as Count, cut.last[i] as Count]
        return { link, met: before.met + last.met, passed: before.passed + last.passed }
      }),
    )
  }

  const rule: NamespaceRule = {
    mechanism: `nft in the network namespace of ${[...new Set(links.map((link) => holderName(link)))].join(', ')} (${entry.mechanism})`,
    counters: () => serially(counters),
    victims: () => readVictims(context, links),
    async bypasses() {
      const passed = (await serially(counters))
        .filter((counter) => counter.passed > 0)
        .map((counter) => `${linkName(counter.link)}: ${counter.passed} packets came through the rule`)
      const stray = await Promise.all(
        cuts.flatMap((cut) =>
          cut.links.map((link, i) => strayConnections(context, link, cut.ends[i]?.addresses ?? [])),
        ),
      )
      return [...passed, ...stray.flat()]
    },
    remove: () =>
      serially(async () => {
        if (removed) return
        await Promise.all(
          cuts.map((cut) => inside(cut, undefined, () => deleteTable(entry, cut.node.id, table))),
        )
        removed = true
        await Promise.all(cuts.map((cut) => journal.close(cut.journalId)))
      }),
    async present() {
      const there = await Promise.all(
        cuts.map((cut) => inside(cut, false, () => hasTable(entry, cut.node.id, table))),
      )
      return there.includes(true)
    },
    restarted: (node) =>
      serially(async () => {
        const cut = cuts.find((candidate) => candidate.node.name === node)
        if (removed || cut === undefined) return
        if (await inside(cut, true, () => hasTable(entry, cut.node.id, table))) return
        cut.before.forEach((count, i) => {
          count.met += cut.last[i]?.met ?? 0
          count.passed += cut.last[i]?.passed ?? 0
        })
        cut.last = cut.links.map(() => ({ met: 0, passed: 0 }))
        await apply(cut)
      }),
  }

  try {
    for (const [node, held] of byHolder(context.nodes, links)) {
      const journalId = await journal.open({ kind: 'docker-nft-table', container: node.id, table, host })
      const zeros = () => held.map(() => ({ met: 0, passed: 0 }))
      cuts.push({ node, links: held, journalId, ends: [], before: zeros(), last: zeros() })
    }
    await allOf(cuts.map(apply))
  } catch (error) {
    await rule.remove()
    throw error
  }
  return rule
}

function holderName(link: Link): string {
  return link.to === 'clients' ? link.from : link.to
}
