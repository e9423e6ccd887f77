import { randomBytes } from 'node:crypto'
import type { Link, NetworkRule } from '../../capabilities.js'
import { queuedPackets, type ChainTable } from './chains-script.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { startDelayer, type Delayer, type PacketTreatment } from './delayer.js'
import { byHolder, farEndOf } from './far-end.js'
import { ruleInNamespaces, type Count, type Place } from './in-namespaces.js'
import { chainsPresent, listChains, putChains, removeChains } from './iptables.js'

let nextQueue = 1_000

/**
 * Delays, loses or holds back what crosses the links, each at the input of the node that receives, by a user-space
 * program behind NFQUEUE rules in that node's network namespace.
 *
 * Where clients receive, packets are held at the output of the node that sends: TCP then keeps only a little
 * unacknowledged there, so large answers become slower than the delay alone would make them.
 *
 * `--queue-bypass` lets packets through when nothing serves the queue, so that a run that was killed leaves no cut
 * behind.
 */
export async function queueRule(
  context: RuleContext,
  links: readonly Link[],
  {
    treatment,
    table,
    victims,
  }: {
    readonly treatment: PacketTreatment
    readonly table: ChainTable
    readonly victims: NetworkRule['victims']
  },
): Promise<NamespaceRule> {
  const { entry } = context
  const chain = `NEMESIS_${randomBytes(5).toString('hex')}`
  const places = [...byHolder(context.nodes, links)].map(([node, held]): Place => {
    const queues = held.map(() => nextQueue++ % 60_000)
    const chains = { id: node.id, table, chain }
    let delayer: Delayer | null = null
    return {
      node,
      links: held,
      leaves: { kind: 'iptables-chains', chain },
      installed: {
        async put() {
          const ends = await Promise.all(
            held.map(async (link, i) => ({
              ...(await farEndOf(context, link)),
              targets: [`-j NFQUEUE --queue-num ${queues[i]} --queue-bypass`],
            })),
          )
          delayer = await startDelayer(entry, node.id, { treatment, queues })
          await putChains(entry, chains, { ends, needs: 'NFQUEUE' })
        },
        present: () => chainsPresent(entry, chains),
        async read() {
          if (delayer === null || !(await chainsPresent(entry, chains))) return null
          const queued = queuedPackets(await listChains(entry, chains))
          const statistics = await delayer.statistics()
          return queues.map((queue): Count => {
            const served = statistics.find((one) => one.queue === queue)
            if (served === undefined) return { met: 0, passed: 0, missed: 0, heldMs: 0 }
            const { seen, delayed, dropped, direct, heldMs } = served
            // What the rule has sent to the queue and the program has not seen went through untouched.
            const past = Math.max(0, (queued.get(queue) ?? 0) - seen)
            const missed = past + (treatment.kind === 'delay' ? direct : 0)
            return { met: delayed + dropped, passed: past + direct, missed, heldMs }
          })
        },
        // First the rules, so that no packet arrives at a queue that nothing serves.
        takeOut: () => removeChains(entry, chains),
        async end() {
          await delayer?.stop()
        },
        broken: () =>
          delayer === null || delayer.ended === null
            ? null
            : `the program behind the queue ended (${delayer.ended}); packets go through untouched`,
      },
    }
  })
  return ruleInNamespaces(context, {
    mechanism: `NFQUEUE ${wordFor[treatment.kind]} in the network namespace of ${places.map(({ node }) => node.name).join(', ')} (${entry.mechanism})`,
    places,
    victims,
  })
}

const wordFor = { delay: 'delayer', loss: 'dropper', rate: 'token bucket' } as const
