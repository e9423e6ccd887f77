import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { namespaceNetwork, type NamespaceNetwork } from '../netns/network.js'
import type { Engine } from './engine.js'
import { chooseEntry } from './namespace/choose.js'
import { namespacesOfContainers } from './namespace/of-containers.js'
import type { DockerNode } from './node.js'

export interface DockerNetworkOptions {
  readonly engine: Engine
  readonly host: string | null
  readonly run: string
  readonly nodes: readonly DockerNode[]
  readonly journal: UndoJournal
  readonly enter: 'auto' | 'nsenter' | 'helper'
  readonly helperImage: string | null
}

/** Network faults on the containers of a run. */
export function dockerNetwork(options: DockerNetworkOptions): NamespaceNetwork {
  return namespaceNetwork({
    nodes: options.nodes,
    namespaces: namespacesOfContainers(options.engine, options.host),
    journal: options.journal,
    enter: async () => chooseEntry(options, await anyRunning(options)),
  })
}

/** Entering is tried out on a container that runs; where none does, on the first, which then needs a helper. */
async function anyRunning({ engine, nodes }: DockerNetworkOptions): Promise<string> {
  for (const { id } of nodes) {
    const { State: state } = await engine.getContainer(id).inspect()
    if (state.Running) return id
  }
  return (nodes[0] as DockerNode).id
}
