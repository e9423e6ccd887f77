import { SystemError } from '../../errors.js'
import { address } from '../address.js'
import type { Address, LaunchContext } from '../system.js'

/** A node before it runs: its name, where it listens, its real port behind each declared one, its directory. */
export interface PlannedNode {
  readonly name: string
  readonly host: string
  readonly ports: ReadonlyMap<number, number>
  readonly dataDir: string
}

/** Finds the proxied address by which one party must reach another. Null when no proxy stands in between. */
export type ProxiedAddress = (from: string, to: string, port: number) => Address | null

/** The real port behind a declared one. Throws SystemError when it was not declared. */
export function realPort({ name, ports }: PlannedNode, port: number): number {
  const real = ports.get(port)
  if (real !== undefined) return real
  throw new SystemError('unknown-port', `node ${name} has no port ${port}`, {
    hint: `add it to \`ports\` of processes(); declared are ${[...ports.keys()].join(', ')}`,
  })
}

/** The address at which `from` reaches a port of `node`: through the fault proxy where there is one. */
export function addressOf(
  node: PlannedNode,
  options: { readonly from: string; readonly port: number; readonly proxied: ProxiedAddress },
): Address {
  const real = realPort(node, options.port)
  return options.proxied(options.from, node.name, options.port) ?? address(node.host, real)
}

/** What one node is told when it is launched. */
export function launchContext(
  nodes: readonly PlannedNode[],
  index: number,
  proxied: ProxiedAddress,
): LaunchContext {
  const node = nodes[index] as PlannedNode
  const peers = nodes
    .filter((peer) => peer !== node)
    .map((peer) => {
      const reach = (port: number): Address => addressOf(peer, { from: node.name, port, proxied })
      const [first] = peer.ports.keys() as Iterable<number>
      return { name: peer.name, address: reach, toString: () => String(reach(first as number)) }
    })
  return {
    name: node.name,
    index,
    peers,
    listen: (port) => realPort(node, port),
    self: (port) => address(node.host, realPort(node, port)),
    dataDir: node.dataDir,
  }
}
