import { FaultError } from '../../errors.js'
import type { NamespaceNode } from './namespace/namespaces.js'

/** One container of a running system. */
export type DockerNode = NamespaceNode

/** A node by name. Throws FaultError that lists the nodes when there is none. */
export function nodeNamed(nodes: readonly DockerNode[], name: string): DockerNode {
  const node = nodes.find((candidate) => candidate.name === name)
  if (node !== undefined) return node
  throw new FaultError('unknown-node', `there is no node ${JSON.stringify(name)}`, {
    hint: `the nodes are ${nodes.map((candidate) => candidate.name).join(', ')}`,
  })
}
