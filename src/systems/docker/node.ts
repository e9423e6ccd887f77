import { FaultError } from '../../errors.js'
import type { Engine } from './engine.js'

/** One container of a running system. */
export interface DockerNode {
  readonly name: string
  readonly index: number
  /** The container's id. */
  readonly id: string
  /** Its fixed address on the run's own network. */
  readonly ip: string
}

/** A node by name. Throws FaultError that lists the nodes when there is none. */
export function nodeNamed(nodes: readonly DockerNode[], name: string): DockerNode {
  const node = nodes.find((candidate) => candidate.name === name)
  if (node !== undefined) return node
  throw new FaultError('unknown-node', `there is no node ${JSON.stringify(name)}`, {
    hint: `the nodes are ${nodes.map((candidate) => candidate.name).join(', ')}`,
  })
}

/**
 * Every address of a node, IPv4 and IPv6: its fixed one, which it has again after a restart, and those that the engine
 * has given it on all its networks.
 */
export async function addressesOf(engine: Engine, node: DockerNode): Promise<string[]> {
  const { NetworkSettings: settings } = await engine.getContainer(node.id).inspect()
  const given = Object.values(settings.Networks).flatMap(({ IPAddress, GlobalIPv6Address }) => [
    IPAddress,
    GlobalIPv6Address,
  ])
  return [...new Set([node.ip, ...given.filter((address) => typeof address === 'string' && address !== '')])]
}
