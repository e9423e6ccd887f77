import { messageOf } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Lifecycle } from '../capabilities.js'
import type { Address } from '../system.js'
import { allOf } from '../../time/all-of.js'
import type { Engine } from './engine.js'
import { watchEvents } from './events.js'
import { dockerLifecycle } from './lifecycle.js'
import type { LogFollower } from './logs.js'
import type { NamespaceNetwork } from '../netns/network.js'
import { dockerNetwork } from './network.js'
import type { DockerNode } from './node.js'

export interface DriveOptions {
  readonly engine: Engine
  readonly host: string | null
  readonly run: string
  readonly nodes: readonly DockerNode[]
  readonly journal: UndoJournal
  readonly logs: LogFollower
  readonly enter: 'auto' | 'nsenter' | 'helper'
  readonly helperImage: string | null
  /** Where the node's first port is reached from here. */
  readonly addressOf: (node: DockerNode) => Address
  /** True when that is a published port, with a forwarder in between. */
  readonly published: boolean
  /** Called when a container has been started, whoever did it. */
  readonly onStarted?: (node: DockerNode) => Promise<void>
}

/** What acts on the containers of a system. */
export interface Driven {
  readonly lifecycle: Lifecycle
  readonly network: NamespaceNetwork
  /** Takes every rule away, and stops listening to the engine. */
  close(): Promise<void>
}

/** Takes containers in hand that have been made: sees to it that rules and logs follow them over restarts. */
export async function driveContainers(options: DriveOptions): Promise<Driven> {
  const { engine, nodes, logs, onStarted = async () => {} } = options
  const network = dockerNetwork(options)
  const ownStarts = countByName()
  const startedByOthers = async (node: DockerNode): Promise<void> => {
    const { State: state } = await engine.getContainer(node.id).inspect()
    // A container may print before the engine calls it started, but not before it has ended the time before.
    await allOf([logs.resume(node, state.FinishedAt), network.restarted(node.name), onStarted(node)])
  }
  const ids = nodes.map(({ id }) => id)
  const events = await watchEvents(engine, ids, ({ action, id }) => {
    const node = nodes.find((candidate) => candidate.id === id)
    if (action !== 'start' || node === undefined || ownStarts.take(node.name)) return
    startedByOthers(node).catch((error: unknown) =>
      process.emitWarning(
        `${node.name} was started by something else: ${messageOf(error)}`,
        'NemesisWarning',
      ),
    )
  })
  const lifecycle = dockerLifecycle({
    ...options,
    async beforeStart(node) {
      await logs.attach(node)
      ownStarts.add(node.name)
      return { failed: () => void ownStarts.take(node.name) }
    },
    async afterStart(node) {
      await allOf([network.restarted(node.name), onStarted(node)])
    },
  })
  return {
    lifecycle,
    network,
    async close() {
      events.close()
      await network.close()
    },
  }
}

/** Starts that were asked for here and that the engine's events have not told of yet. */
function countByName(): { add(name: string): void; take(name: string): boolean } {
  const counts = new Map<string, number>()
  return {
    add: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    take(name) {
      const count = counts.get(name) ?? 0
      if (count > 0) counts.set(name, count - 1)
      return count > 0
    },
  }
}
