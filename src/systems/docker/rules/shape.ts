import { FaultError } from '../../../errors.js'
import { linkName, type Link, type LinkCounter, type NetworkRule } from '../../capabilities.js'
import { allOf } from '../all-of.js'
import { CommandFailed } from '../namespace/exec.js'
import type { NamespaceNode } from '../namespace/namespaces.js'
import { nodeNamed } from '../node.js'
import { oneAtATime, whileRunning, type NamespaceRule, type RuleContext } from './context.js'
import { clients } from './far-end.js'
import { deviceTo, endHandle, rootHandle, shapeScript, type ShapedEnd } from './shape-script.js'

/** The shaping at one node that sends. */
interface Shaper {
  readonly node: NamespaceNode
  readonly links: readonly Link[]
  device: string | null
  /** Packets of namespaces that are gone, one a link. */
  readonly before: number[]
  last: number[]
}

/**
 * Sends what each node has for the far end of its links through a queueing discipline of tc, such as
 * `netem delay 80ms`, on the device by which it leaves. Counts packets that the discipline has let go; `victims` reads
 * what the ends of the links suffer from it.
 *
 * What clients send does not leave a container, so links from clients cannot be shaped: throws FaultError.
 */
export async function shapeLinks(
  context: RuleContext,
  links: readonly Link[],
  { discipline, victims }: { discipline: string; victims: NetworkRule['victims'] },
): Promise<NamespaceRule> {
  const { namespaces, entry, nodes } = context
  const fromClients = links.find((link) => link.from === clients)
  if (fromClients !== undefined) {
    throw new FaultError(
      'links',
      `${linkName(fromClients)} cannot be shaped with tc: clients are no container`,
      {
        hint: 'name the link in the other direction, or links between nodes',
      },
    )
  }
  const serially = oneAtATime()
  const senders = [...new Set(links.map((link) => link.from))]
  const shapers = senders.map((name): Shaper => {
    const own = links.filter((link) => link.from === name)
    return {
      node: nodeNamed(nodes, name),
      links: own,
      device: null,
      before: own.map(() => 0),
      last: own.map(() => 0),
    }
  })
  let removed = false

  const inside = <T>(shaper: Shaper, otherwise: T, act: () => Promise<T>): Promise<T> =>
    whileRunning({ namespaces, id: shaper.node.id, otherwise }, act)

  const endOf = async ({ to }: Link): Promise<ShapedEnd> => {
    if (to !== clients)
      return { addresses: await namespaces.addressesOf(nodeNamed(nodes, to)), others: false }
    const everyNode = await Promise.all(nodes.map((node) => namespaces.addressesOf(node)))
    return { addresses: everyNode.flat(), others: true }
  }

  const disciplinesOf = async ({ node, device }: Shaper): Promise<readonly Discipline[]> =>
    device === null
      ? []
      : (JSON.parse(
          await entry.run(node.id, ['tc', '-s', '-j', 'qdisc', 'show', 'dev', device]),
        ) as Discipline[])

  const isIn = (shaper: Shaper): Promise<boolean> =>
    inside(shaper, false, async () =>
      (await disciplinesOf(shaper)).some(({ handle }) => handle === rootHandle),
    )

  const takeOut = (shaper: Shaper): Promise<void> =>
    inside(shaper, undefined, async () => {
      if (shaper.device === null || !(await isIn(shaper))) return
      await entry.run(shaper.node.id, [
        'tc',
        'qdisc',
        'del',
        'dev',
        shaper.device,
        'root',
        'handle',
        rootHandle,
      ])
    })

  const apply = async (shaper: Shaper): Promise<void> => {
    const ends = await Promise.all(shaper.links.map(endOf))
    await inside(shaper, undefined, async () => {
      const routes = await entry.readNet(shaper.node.id, 'route')
      const device = deviceTo(ends[0]?.addresses[0] ?? shaper.node.ip, routes)
      if (device === null)
        throw new FaultError('no-route', `${shaper.node.name} has no way to ${shaper.links[0]?.to}`)
      const { id } = shaper.node
      const present = await entry.run(id, ['tc', '-j', 'qdisc', 'show', 'dev', device, 'root'])
      if (present.includes(`"${rootHandle}"`)) {
        throw new FaultError('shaped', `what ${shaper.node.name} sends is being shaped already`, {
          hint: 'heal that fault first, or name all links in one',
        })
      }
      shaper.device = device
      await entry.run(id, ['tc', '-batch', '-'], shapeScript(device, ends, discipline))
    })
  }

  const readShaper = (shaper: Shaper): Promise<void> =>
    inside(shaper, undefined, async () => {
      const disciplines = await disciplinesOf(shaper)
      if (removed || !disciplines.some(({ handle }) => handle === rootHandle)) return
      shaper.last = shaper.links.map(
        (_, i) => disciplines.find(({ handle }) => handle === endHandle(i))?.packets ?? 0,
      )
    })

  const rule: NamespaceRule = {
    mechanism: `tc ${discipline.split(' ')[0]} in the network namespace of ${senders.join(', ')} (${entry.mechanism})`,
    counters: () =>
      serially(async () => {
        await Promise.all(shapers.map(readShaper))
        return shapers.flatMap(({ links: own, before, last }) =>
          own.map((link, i): LinkCounter => ({ link, met: (before[i] ?? 0) + (last[i] ?? 0), passed: 0 })),
        )
      }),
    victims,
    bypasses: async () => [],
    remove: () =>
      serially(async () => {
        if (removed) return
        await Promise.all(shapers.map(readShaper))
        await Promise.all(shapers.map(takeOut))
        removed = true
      }),
    async present() {
      return (await Promise.all(shapers.map(isIn))).includes(true)
    },
    restarted: (name) =>
      serially(async () => {
        const shaper = shapers.find(({ node }) => node.name === name)
        if (removed || shaper === undefined || (await isIn(shaper))) return
        shaper.last.forEach((count, i) => (shaper.before[i] = (shaper.before[i] ?? 0) + count))
        shaper.last = shaper.links.map(() => 0)
        await apply(shaper)
      }),
  }

  try {
    await allOf(shapers.map(apply))
  } catch (error) {
    await rule.remove()
    throw error
  }
  return rule
}

/** What `tc -s -j qdisc` says of one discipline. */
interface Discipline {
  readonly handle: string
  readonly packets: number
}

/** True when the kernel does not have the queueing discipline. */
export function isUnknownDiscipline(error: unknown): boolean {
  return error instanceof CommandFailed && /qdisc kind is unknown/.test(error.stderr)
}
