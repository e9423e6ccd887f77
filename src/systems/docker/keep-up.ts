import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Lifecycle } from '../capabilities.js'
import { becomes } from '../../time/wait.js'
import { engineAt, statusOf, type Engine } from './engine.js'
import { nodeNamed } from '../netns/node-named.js'
import type { DockerNode } from './node.js'

/** What was asked of the engine may take this long to be carried out. */
const requestMs = 1_000
/** Undoing one thing must come to an end. */
const waitMaxMs = 60_000

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
  const owe = async (name: string, endsWithinMs: number): Promise<void> => {
    const { id } = nodeNamed(nodes, name)
    const { State: state } = await engine.getContainer(id).inspect()
    if (!state.Running) return
    const { StartedAt: startedAt } = state
    const entry = await journal.open({ kind: 'docker-start', container: id, host, startedAt, endsWithinMs })
    // Somebody else may have started it since it was ended here.
    await paid(name)
    owed.set(name, entry)
  }
  const paid = async (name: string): Promise<void> => {
    const entry = owed.get(name)
    owed.delete(name)
    if (entry !== undefined) await journal.close(entry)
  }
  return {
    ...lifecycle,
    async kill(name) {
      await owe(name, requestMs)
      await lifecycle.kill(name)
    },
    async stop(name, graceMs) {
      await owe(name, graceMs + requestMs)
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

/**
 * Starts a container that has ended, and one that has yet to: when a run dies while it waits for the end of a container,
 * that still runs, and nobody would start it afterwards. One that goes on to run, or is gone, counts as started.
 */
export async function startContainer({
  container: id,
  host,
  startedAt,
  endsWithinMs,
}: {
  readonly container: string
  readonly host: string | null
  readonly startedAt: string
  readonly endsWithinMs: number
}): Promise<void> {
  const engine = await engineAt(host)
  await becomes(() => isOver(engine, id, startedAt), { withinMs: Math.min(endsWithinMs, waitMaxMs) })
  await startEnded(engine, id)
}

/** True when the container does not run any more as it was started then. */
async function isOver(engine: Engine, id: string, startedAt: string): Promise<boolean> {
  try {
    const { State: state } = await engine.getContainer(id).inspect()
    return !state.Running || state.StartedAt !== startedAt
  } catch (error) {
    if (statusOf(error) !== 404) throw error
    return true
  }
}

async function startEnded(engine: Engine, id: string): Promise<void> {
  try {
    await engine.getContainer(id).start()
  } catch (error) {
    // 304: it runs. 404: whoever made it has removed it.
    if (statusOf(error) !== 304 && statusOf(error) !== 404) throw error
  }
}
