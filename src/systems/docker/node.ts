import type Dockerode from 'dockerode'
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

/** Every address that the engine has given to a container, on all its networks: IPv4 and IPv6. */
export async function addressesOf(engine: Engine, id: string): Promise<string[]> {
  const inspected: Dockerode.ContainerInspectInfo = await engine.getContainer(id).inspect()
  return Object.values(inspected.NetworkSettings.Networks)
    .flatMap((network) => [network.IPAddress, network.GlobalIPv6Address])
    .filter((address) => typeof address === 'string' && address !== '')
}
