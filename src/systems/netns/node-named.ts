import { FaultError } from '../../errors.js'
import type { NamespaceNode } from './namespaces.js'

/** A node by name. Throws FaultError that lists the nodes when there is none. */
export function nodeNamed(nodes: readonly NamespaceNode[], name: string): NamespaceNode {
  const node = nodes.find((candidate) => candidate.name === name)
  if (node !== undefined) return node
  throw new FaultError('unknown-node', `there is no node ${JSON.stringify(name)}`, {
    hint: `the nodes are ${nodes.map((candidate) => candidate.name).join(', ')}`,
  })
}
