import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import type { NetworkRule } from '../../capabilities.js'
import { statusOf, type Engine } from '../engine.js'
import type { NamespaceExec } from '../namespace/exec.js'
import type { DockerNode } from '../node.js'

/** What every rule needs. */
export interface RuleContext {
  readonly engine: Engine
  readonly host: string | null
  readonly nodes: readonly DockerNode[]
  readonly entry: NamespaceExec
  readonly journal: UndoJournal
}

/** A rule that lives in namespaces, which do not outlive a container's run. */
export interface NamespaceRule extends NetworkRule {
  /** A node has been started again, with an empty namespace: puts the rule back in. */
  restarted(node: string): Promise<void>
}

/**
 * Does something inside a running container. Gives `otherwise` when the container does not run, or ends meanwhile:
 * its namespace is gone then, with every rule in it.
 */
export async function whileRunning<T>(
  { engine, id, otherwise }: { engine: Engine; id: string; otherwise: T },
  act: () => Promise<T>,
): Promise<T> {
  if (!(await isRunning(engine, id))) return otherwise
  try {
    return await act()
  } catch (error) {
    if (await isRunning(engine, id)) throw error
    return otherwise
  }
}

async function isRunning(engine: Engine, id: string): Promise<boolean> {
  try {
    const { State: state } = await engine.getContainer(id).inspect()
    return state.Running
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}

/** Runs tasks one after the other, in the order in which they were given. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task, task)
    last = next.catch(() => {
      // The caller sees the failure; the next task does not depend on it.
    })
    return next
  }
}
