import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import type { NetworkRule } from '../../capabilities.js'
import type { NamespaceExec } from '../exec.js'
import type { NamespaceNode, Namespaces } from '../namespaces.js'

/** What every rule needs. */
export interface RuleContext {
  readonly nodes: readonly NamespaceNode[]
  readonly namespaces: Namespaces
  readonly entry: NamespaceExec
  readonly journal: UndoJournal
}

/** A rule that lives in namespaces, which may end with what runs in them. */
export interface NamespaceRule extends NetworkRule {
  /** A node has been started again, with an empty namespace: puts the rule back in. */
  restarted(node: string): Promise<void>
}

/**
 * Does something inside a namespace. Gives `otherwise` when there is none, or it ends meanwhile: every rule in it is
 * gone then.
 */
export async function whileRunning<T>(
  { namespaces, id, otherwise }: { namespaces: Namespaces; id: string; otherwise: T },
  act: () => Promise<T>,
): Promise<T> {
  if (!(await namespaces.isThere(id))) return otherwise
  try {
    return await act()
  } catch (error) {
    if (await namespaces.isThere(id)) throw error
    return otherwise
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
