import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Lifecycle } from '../capabilities.js'
import { engineAt, statusOf, type Engine } from './engine.js'
import { nodeNamed } from '../netns/node-named.js'
import type { DockerNode } from './node.js'

/** A lifecycle that owes it to others to leave the containers running. */
export interface KeptUp extends Lifecycle {
  /** Starts what was ended here and has not been started since. */
  startAll(): Promise<void>
}

/** Journals, before a container is ended, that it must be started again. */
export function keepUp(
  lifecycle: Lifecycle,
  {
    engine,
    host,
    nodes,
    journal,
  }: { engine: Engine; host: string | null; nodes: readonly DockerNode[]; journal: UndoJournal },
): KeptUp {
  const owed = new Map<string, string>()
  const owe = async (name: string): Promise<void> => {
    const { id } = nodeNamed(nodes, name)
    const { State: state } = await engine.getContainer(id).inspect()
    if (state.Running && !owed.has(name))
      owed.set(name, await journal.open({ kind: 'docker-start', container: id, host }))
  }
  const paid = async (name: string): Promise<void> => {
    const entry = owed.get(name)
    owed.delete(name)
    if (entry !== undefined) await journal.close(entry)
  }
  return {
    ...lifecycle,
    async kill(name) {
      await owe(name)
      await lifecycle.kill(name)
    },
    async stop(name, graceMs) {
      await owe(name)
      await lifecycle.stop(name, graceMs)
    },
    async start(name) {
      await lifecycle.start(name)
      await paid(name)
    },
    async startAll() {
      for (const name of [...owed.keys()]) {
        await startEnded(engine, nodeNamed(nodes, name).id)
        await paid(name)
      }
    },
  }
}

/** Starts a container that has ended. One that runs, or is gone, counts as started. */
export async function startContainer(id: string, host: string | null): Promise<void> {
  await startEnded(await engineAt(host), id)
}

async function startEnded(engine: Engine, id: string): Promise<void> {
  try {
    await engine.getContainer(id).start()
  } catch (error) {
    // 304: it runs. 404: whoever made it has removed it.
    if (statusOf(error) !== 304 && statusOf(error) !== 404) throw error
  }
}
