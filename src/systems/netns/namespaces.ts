import type { Undo } from '../../nemesis/undo/journal.js'

/** A node in a network namespace of its own. */
export interface NamespaceNode {
  readonly name: string
  readonly index: number
  /** What its namespace is entered by: a container's id, or the namespace's name. */
  readonly id: string
  /** Its fixed address on the system's own network. */
  readonly ip: string
}

/** What a rule leaves in a namespace when the one who put it there dies. */
export type Leftover =
  | { readonly kind: 'nft-table'; readonly table: string }
  | { readonly kind: 'iptables-chains'; readonly chain: string }
  | { readonly kind: 'shaping' }

/** The network namespaces of a system's nodes, as those see them who put rules in. */
export interface Namespaces {
  /** False while the namespace is gone, with every rule in it. */
  isThere(id: string): Promise<boolean>
  /** Every address of a node, IPv4 and IPv6, on whatever network. */
  addressesOf(node: NamespaceNode): Promise<string[]>
  /** How another process takes it back. */
  undoOf(id: string, leftover: Leftover): Undo
}
