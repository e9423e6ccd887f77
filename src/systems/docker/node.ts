import type { NamespaceNode } from '../netns/namespaces.js'

/** One container of a running system. */
export type DockerNode = NamespaceNode
