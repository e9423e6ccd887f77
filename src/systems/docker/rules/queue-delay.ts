import { randomBytes } from 'node:crypto'
import { allOf } from '../all-of.js'
import { linkName, type Link, type LinkCounter, type NetworkRule } from '../../capabilities.js'
import type { NamespaceNode } from '../namespace/namespaces.js'
import { oneAtATime, whileRunning, type NamespaceRule, type RuleContext } from './context.js'
import { queueScript, queuedPackets, type QueuedEnd } from './queue-script.js'
import { startDelayer, type Delayer, type QueueStatistics } from './delayer.js'
import { byHolder, farEndOf } from './far-end.js'
import { installRules, listRules, removeRules, rulesPresent, type InstalledRules } from './iptables.js'

interface Count {
  delayed: number
  heldMs: number
  passed: number
}

/** The delay at one node: rules that feed queues, and the program that serves them. */
interface Station {
  readonly node: NamespaceNode
  readonly links: readonly Link[]
  readonly queues: readonly number[]
  delayer: Delayer | null
  rules: InstalledRules | null
  /** Counts of namespaces that are gone, one a link. */
  readonly before: Count[]
  last: Count[]
}

let nextQueue = 1_000

/**
 * Delays the links, each at the input of the node that receives, by a user-space delayer behind NFQUEUE rules in that
 * node's network namespace.
 *
 * Where clients receive, packets are held at the output of the node that sends: TCP then keeps only a little
 * unacknowledged there, so large answers become slower than the delay alone would make them.
 */
export async function queueDelay(
  context: RuleContext,
  links: readonly Link[],
  { delayMs, jitterMs, victims }: { delayMs: number; jitterMs: number; victims: NetworkRule['victims'] },
): Promise<NamespaceRule> {
  const { namespaces, entry } = context
  const chain = `NEMESIS_${randomBytes(5).toString('hex')}`
  const serially = oneAtATime()
  const zero = (): Count => ({ delayed: 0, heldMs: 0, passed: 0 })
  const stations = [...byHolder(context.nodes, links)].map(([node, held]): Station => ({
    node,
    links: held,
    queues: held.map(() => nextQueue++ % 60_000),
    delayer: null,
    rules: null,
    before: held.map(zero),
    last: held.map(zero),
  }))
  let removed = false

  const inside = <T>(station: Station, otherwise: T, act: () => Promise<T>): Promise<T> =>
    whileRunning({ namespaces, id: station.node.id, otherwise }, act)

  const apply = async (station: Station): Promise<void> => {
    const ends = await Promise.all(
      station.links.map(async (link, i): Promise<QueuedEnd> => ({
        ...(await farEndOf(context, link)),
        queue: station.queues[i] as number,
      })),
    )
    await inside(station, undefined, async () => {
      const { queues } = station
      station.delayer = await startDelayer(entry, station.node.id, { delayMs, jitterMs, queues })
      const scripts = { ipv4: queueScript(chain, ends, 'ipv4'), ipv6: queueScript(chain, ends, 'ipv6') }
      station.rules = await installRules(entry, station.node.id, scripts)
    })
  }

  const takeOut = async (station: Station): Promise<void> => {
    const { rules, delayer } = station
    // First the rules, so that no packet arrives at a queue that nothing serves.
    if (rules !== null) await inside(station, undefined, () => removeRules(entry, station.node.id, rules))
    await delayer?.stop()
  }

  const readStation = async (station: Station): Promise<void> => {
    const { rules, delayer } = station
    if (removed || rules === null || delayer === null) return
    const queued = await inside(station, new Map<number, number>(), async () =>
      queuedPackets(await listRules(entry, station.node.id, rules)),
    )
    const statistics = await delayer.statistics()
    station.last = station.queues.map((queue) => {
      const { seen, delayed, heldMs } = statistics.find((one) => one.queue === queue) as QueueStatistics
      // What the rule has sent to the queue and the delayer has not seen went through undelayed.
      return { delayed, heldMs, passed: Math.max(0, (queued.get(queue) ?? 0) - seen) }
    })
  }

  const counts = async (): Promise<(Count & { link: Link; node: string })[]> => {
    await Promise.all(stations.map(readStation))
    return stations.flatMap((station) =>
      station.links.map((link, i) => {
        const [before, last] = [station.before[i] as Count, station.last[i] as Count]
        return {
          link,
          node: station.node.name,
          delayed: before.delayed + last.delayed,
          heldMs: before.heldMs + last.heldMs,
          passed: before.passed + last.passed,
        }
      }),
    )
  }

  const rule: NamespaceRule = {
    mechanism: `NFQUEUE delayer in the network namespace of ${stations.map(({ node }) => node.name).join(', ')} (${entry.mechanism})`,
    async counters() {
      const read = await serially(counts)
      return read.map(({ link, delayed, heldMs, passed }): LinkCounter => ({
        link,
        met: delayed,
        passed,
        ...(delayed === 0 ? {} : { meanHeldMs: heldMs / delayed }),
      }))
    },
    victims,
    async bypasses() {
      const passed = (await serially(counts))
        .filter((count) => count.passed > 0)
        .map((count) => `${linkName(count.link)}: ${count.passed} packets went past the delayer`)
      const dead = stations
        .filter(({ delayer }) => delayer !== null && delayer.ended !== null)
        .map(
          ({ node, delayer }) =>
            `${node.name}: the delayer ended (${delayer?.ended}); packets are not delayed any more`,
        )
      return [...passed, ...dead]
    },
    remove: () =>
      serially(async () => {
        if (removed) return
        await Promise.all(stations.map(readStation))
        await Promise.all(stations.map(takeOut))
        removed = true
      }),
    async present() {
      const there = await Promise.all(
        stations.map(async (station) => {
          const { node, rules } = station
          return rules !== null && inside(station, false, () => rulesPresent(entry, node.id, rules))
        }),
      )
      return there.includes(true)
    },
    restarted: (name) =>
      serially(async () => {
        const station = stations.find(({ node }) => node.name === name)
        if (removed || station === undefined) return
        const { rules } = station
        if (
          rules !== null &&
          (await inside(station, true, () => rulesPresent(entry, station.node.id, rules)))
        )
          return
        // The old delayer still serves the namespace that is gone.
        await station.delayer?.stop()
        station.before.forEach((count, i) => {
          const last = station.last[i] as Count
          count.delayed += last.delayed
          count.heldMs += last.heldMs
          count.passed += last.passed
        })
        station.last = station.links.map(zero)
        await apply(station)
      }),
  }

  try {
    await allOf(stations.map(apply))
  } catch (error) {
    await rule.remove()
    throw error
  }
  return rule
}
