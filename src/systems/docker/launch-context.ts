import { SystemError } from '../../errors.js'
import { address } from '../address.js'
import type { LaunchContext } from '../system.js'

/** Where containers keep what must survive a restart. */
export const dataDir = '/data'

/** Throws SystemError when the port is not one that the system declared. */
export function declaredPort(ports: readonly number[], port: number, node: string): number {
  if (ports.includes(port)) return port
  throw new SystemError('undeclared-port', `${node}: port ${port} was not declared`, {
    hint: `docker({ ports }) has ${ports.join(', ')}; add ${port} there`,
  })
}

/** What each node is told when it is launched: containers reach one another at their fixed addresses. */
export function launchContexts(
  nodes: readonly { readonly name: string; readonly ip: string }[],
  ports: readonly number[],
): LaunchContext[] {
  const reach = (node: { name: string; ip: string }) => (port: number) =>
    address(node.ip, declaredPort(ports, port, node.name))
  const peers = nodes.map((node) => ({
    name: node.name,
    address: reach(node),
    toString: () => String(reach(node)(ports[0] as number)),
  }))
  return nodes.map((node, index) => ({
    name: node.name,
    index,
    peers: peers.filter((peer) => peer.name !== node.name),
    listen: (port) => declaredPort(ports, port, node.name),
    self: reach(node),
    dataDir,
  }))
}
