import { FaultError } from '../../../errors.js'
import { type Link, type NetworkRule } from '../../capabilities.js'
import { CommandFailed } from '../exec.js'
import type { NamespaceNode } from '../namespaces.js'
import { nodeNamed } from '../node-named.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { disciplinesIn, removeEgress, removeIngress, type Discipline } from './disciplines.js'
import { clients } from './far-end.js'
import { ruleInNamespaces, type Count, type Place } from './in-namespaces.js'
import {
  deviceTo,
  endHandle,
  ingressDevice,
  redirectScript,
  rootHandle,
  shapeScript,
  type ShapedEnd,
} from './shape-script.js'

/** What to shape with. */
export interface Shaping {
  /** A queueing discipline of tc, such as `netem delay 80ms`. */
  readonly discipline: string
  /** What the statistics of that discipline mean. */
  readonly count: (statistics: Discipline) => Pick<Count, 'met' | 'passed'>
  readonly victims: NetworkRule['victims']
}

/**
 * Sends what each node has for the far end of its links through a queueing discipline of tc, on the device by which it
 * leaves. What clients send comes from no node: it goes through a discipline on its way in (an ifb device).
 *
 * Throws CommandFailed when the kernel or the tools do not have what is needed, FaultError (code `shaped`) when the
 * traffic of a node is being shaped already: there is room for one shaping.
 */
export async function shapeLinks(
  context: RuleContext,
  links: readonly Link[],
  shaping: Shaping,
): Promise<NamespaceRule> {
  const out = groupBy(
    links.filter(({ from }) => from !== clients),
    ({ from }) => from,
  )
  const arriving = groupBy(
    links.filter(({ from }) => from === clients),
    ({ to }) => to,
  )
  const places = [
    ...[...out].map(([name, own]) => shaperAt(context, { name, own, side: 'out', shaping })),
    ...[...arriving].map(([name, own]) => shaperAt(context, { name, own, side: 'in', shaping })),
  ]
  const names = [...new Set(places.map(({ node }) => node.name))].join(', ')
  return ruleInNamespaces(context, {
    mechanism: `tc ${shaping.discipline.split(' ')[0]} in the network namespace of ${names} (${context.entry.mechanism})`,
    places,
    victims: shaping.victims,
  })
}

function shaperAt(
  context: RuleContext,
  {
    name,
    own,
    side,
    shaping: { discipline, count },
  }: { name: string; own: readonly Link[]; side: 'out' | 'in'; shaping: Shaping },
): Place {
  const { entry, nodes } = context
  const node = nodeNamed(nodes, name)
  /** The device of the node; null until it is known, and ours is on it. */
  let device: string | null = null
  const shapedOn = (on: string) => (side === 'out' ? on : ingressDevice(on))
  const ours = async (): Promise<readonly Discipline[]> =>
    device === null
      ? []
      : (await disciplinesIn(entry, node.id)).filter(({ dev }) => dev === shapedOn(device as string))
  const present = async () => (await ours()).some(({ handle }) => handle === rootHandle)

  return {
    node,
    links: own,
    leaves: { kind: 'shaping' },
    installed: {
      async put() {
        device = null
        const ends = await Promise.all(own.map((link) => endOf(context, link)))
        const on = deviceTo(ends[0]?.addresses[0] ?? node.ip, await entry.readNet(node.id, 'route'))
        if (on === null) throw new FaultError('no-route', `${name} has no way to ${own[0]?.to}`)
        await refuseSecond(context, { node, on, side })
        device = on
        if (side === 'in') {
          await entry.run(node.id, ['ip', 'link', 'add', ingressDevice(on), 'type', 'ifb'])
          await entry.run(node.id, ['ip', 'link', 'set', ingressDevice(on), 'up'])
        }
        const where = { device: shapedOn(on), by: side === 'out' ? 'dst' : 'src' } as const
        await entry.run(node.id, ['tc', '-batch', '-'], shapeScript(where, ends, discipline))
        if (side === 'in') await entry.run(node.id, ['tc', '-batch', '-'], redirectScript(on))
      },
      present,
      async read() {
        const there = await ours()
        if (!there.some(({ handle }) => handle === rootHandle)) return null
        return own.map((_, i): Count => {
          const one = there.find(({ handle }) => handle === endHandle(i))
          return { missed: 0, heldMs: 0, ...(one === undefined ? { met: 0, passed: 0 } : count(one)) }
        })
      },
      async takeOut() {
        if (device === null) return
        if (side === 'out') await removeEgress(entry, node.id, device)
        else await removeIngress(entry, node.id, device)
      },
    },
  }
}

async function refuseSecond(
  { entry }: RuleContext,
  { node, on, side }: { node: NamespaceNode; on: string; side: 'out' | 'in' },
): Promise<void> {
  const there = await disciplinesIn(entry, node.id)
  const taken =
    side === 'out'
      ? there.some(({ dev, handle }) => dev === on && handle === rootHandle)
      : there.some(({ dev, kind }) => dev === on && kind === 'ingress')
  if (!taken) return
  throw new FaultError(
    'shaped',
    `what ${node.name} ${side === 'out' ? 'sends' : 'receives'} is being shaped already`,
    {
      hint: 'heal that fault first, or name all links in one',
    },
  )
}

async function endOf({ namespaces, nodes }: RuleContext, { from, to }: Link): Promise<ShapedEnd> {
  if (from !== clients && to !== clients)
    return { addresses: await namespaces.addressesOf(nodeNamed(nodes, to)), others: false }
  const everyNode = await Promise.all(nodes.map((node) => namespaces.addressesOf(node)))
  return { addresses: everyNode.flat(), others: true }
}

function groupBy(links: readonly Link[], key: (link: Link) => string): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>()
  for (const link of links) groups.set(key(link), [...(groups.get(key(link)) ?? []), link])
  return groups
}

/** True when the kernel does not have the queueing discipline. */
export function isUnknownDiscipline(error: unknown): boolean {
  return error instanceof CommandFailed && /qdisc kind is unknown/.test(error.stderr)
}
