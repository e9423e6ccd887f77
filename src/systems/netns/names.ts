import { createHash } from 'node:crypto'
import type { Cidr } from './subnet.js'

/** How the network namespaces of a run are called. */
export interface NamespaceNames {
  /** The one that holds the bridge. */
  readonly hub: string
  readonly of: (node: string) => string
}

/** Names that differ from run to run, and that nothing but this package gives. */
export function namespaceNames(run: string): NamespaceNames {
  const tag = createHash('sha256').update(run).digest('hex').slice(0, 8)
  return { hub: `nemesis-${tag}`, of: (node) => `nemesis-${tag}-${node}` }
}

/** True for names that `namespaceNames` gives. */
export function isNamespaceName(name: string): boolean {
  return /^nemesis-[0-9a-f]{8}(?:-[\w.-]+)?$/.test(name)
}

/** The file by which a namespace is entered. */
export function namespaceFile(name: string): string {
  return `/run/netns/${name}`
}

/**
 * The name of this machine's own end of the link into a subnet. There can be only one of it, so that whoever makes it
 * has the subnet.
 */
export function linkInto(subnet: Cidr): string {
  return `nemesis${subnet.base.toString(16).padStart(8, '0')}`
}
