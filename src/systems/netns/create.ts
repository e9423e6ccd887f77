import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { EnvironmentError, messageOf, SystemError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { NamespaceNode } from './namespaces.js'
import { addressIn, type Cidr } from './subnet.js'
import { ip } from './ip.js'
import { linkInto, namespaceNames } from './names.js'
import { removeNamespaces } from './remove.js'
import { subnetsToTry } from './subnets.js'

/** Network namespaces that share a network with one another and with this machine. */
export interface NodeNamespaces {
  /** `id` is the namespace's name. */
  readonly nodes: readonly NamespaceNode[]
  /** Removes them; whatever runs in them must have ended. */
  close(): Promise<void>
}

const goneWithinMs = 5_000

/**
 * Makes a network namespace for each node, and one that holds the bridge between them. A link leads from there to this
 * machine, which has the first address of the subnet; the nodes have those after it.
 *
 * As the bridge is in a namespace of its own, no rule of this machine is on the way from node to node, and none needs
 * to be changed: the policy with which Docker drops what is forwarded holds only in the machine's own network.
 * Journalled first. Throws EnvironmentError when no subnet of the pool can be had.
 */
export async function createNamespaces(
  names: readonly string[],
  { run, pool, journal }: { run: string; pool: string; journal: UndoJournal },
): Promise<NodeNamespaces> {
  const { hub, of } = namespaceNames(run)
  const all = [hub, ...names.map(of)]
  const entry = await journal.open({ kind: 'namespaces', names: all })
  let link: string | null = null
  const close = async (): Promise<void> => {
    await removeNamespaces(all)
    if (link !== null) await gone(link)
    await journal.close(entry)
  }
  try {
    await ip({ run, lines: all.map((name) => `netns add ${name}`) })
    const subnet = await claim(await subnetsToTry(pool, { run, hosts: names.length }), { run, hub, pool })
    link = linkInto(subnet)
    const nodes = names.map((name, index) => ({
      name,
      index,
      id: of(name),
      ip: addressIn(subnet, 2 + index),
    }))
    await connect(nodes, { run, hub, subnet })
    return { nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Makes the link into the first subnet that no other run has. */
async function claim(
  subnets: readonly Cidr[],
  { run, hub, pool }: { run: string; hub: string; pool: string },
): Promise<Cidr> {
  for (const subnet of subnets) {
    try {
      await ip({ run, lines: [`link add ${linkInto(subnet)} type veth peer name uplink netns ${hub}`] })
      return subnet
    } catch (error) {
      if (!(error instanceof SystemError && messageOf(error).includes('File exists'))) throw error
    }
  }
  throw new EnvironmentError(
    'a free subnet',
    `no subnet of ${pool} can be had: this machine has routes into all of them`,
    'end what uses them (ip route), or name another range: processes({ pool })',
  )
}

async function connect(
  nodes: readonly NamespaceNode[],
  { run, hub, subnet }: { run: string; hub: string; subnet: Cidr },
): Promise<void> {
  await ip({
    run,
    namespace: hub,
    lines: [
      'link set lo up',
      'link add br0 type bridge',
      'link set br0 up',
      'link set uplink master br0 up',
      ...nodes.flatMap(({ id, index }) => [
        `link add port${index} type veth peer name eth0 netns ${id}`,
        `link set port${index} master br0 up`,
      ]),
    ],
  })
  await Promise.all(
    nodes.map(({ id, ip: address }) =>
      ip({
        run,
        namespace: id,
        lines: [
          'link set lo up',
          // No second address that rules on the first would not hold for.
          'link set eth0 addrgenmode none',
          `address add ${address}/${subnet.prefix} dev eth0`,
          'link set eth0 up',
        ],
      }),
    ),
  )
  const link = linkInto(subnet)
  await ip({
    run,
    lines: [
      `link set ${link} addrgenmode none`,
      `address add ${addressIn(subnet, 1)}/${subnet.prefix} dev ${link}`,
      `link set ${link} up`,
    ],
  })
}

/** The kernel takes a link down with its namespace, but in its own time. */
async function gone(link: string): Promise<void> {
  const deadline = performance.now() + goneWithinMs
  while (existsSync(`/sys/class/net/${link}`)) {
    if (performance.now() > deadline) {
      throw new SystemError('link', `the link ${link} stays although its namespace was removed`, {
        hint: `ip link delete ${link}`,
      })
    }
    await sleep(20)
  }
}
