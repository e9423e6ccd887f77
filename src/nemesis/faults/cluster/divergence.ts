import type { Duration } from '../../../time/duration.js'
import type { Evidence } from '../../evidence.js'
import type { InjectContext, Injection, Target } from '../../fault.js'
import { affectedBy } from '../affected.js'
import type { NodeHook } from './hook.js'
import { Hooks, type Named } from './hooks.js'
import { Reported } from './reported.js'
import { takeBack } from '../take-back.js'
import { targetNodes } from './target-nodes.js'

/** A fault that makes some nodes differ from the others. */
export interface Divergence {
  readonly fault: string
  readonly node: Target
  readonly hookTimeout: Duration | undefined
  readonly change: Named<NodeHook>
  readonly read: Named<NodeHook>
  readonly restore: Named<NodeHook>
  /** What is read, such as `version it reports`. */
  readonly signal: string
}

/**
 * Changes nodes by a hook and reads all of them by another.
 *
 * Injector side: the hook came back. Victim side: what the nodes report. Not proven while a changed node reports what
 * it did before, or all nodes report the same. Healed by the hook that restores, until each reports its old state.
 */
export async function diverge(context: InjectContext, divergence: Divergence): Promise<Injection> {
  const { fault, change, read, restore, signal, hookTimeout } = divergence
  const nodes = await targetNodes(context, divergence.node, fault)
  const hooks = new Hooks(context, { fault, hookTimeout })
  const reported = await Reported.before(context, { hooks, read, signal })
  context.injecting()
  const changes: Evidence[] = []
  try {
    for (const node of nodes) changes.push(await reported.change(node, change))
  } catch (error) {
    return takeBack(error, () => reported.putBack(restore))
  }
  return {
    target: nodes.join(', '),
    mechanism: `hook ${change.name}()`,
    affects: affectedBy(
      context,
      nodes.map((node) => ({ node })),
    ),
    evidence: async () => [...changes, ...(await reported.read())],
    objection: () => {
      const unchanged = reported.unchanged(nodes)
      return unchanged === null ? reported.uniform() : `${unchanged} after ${change.name}()`
    },
    lost: () => reported.lost(),
    heal: () => reported.putBack(restore),
  }
}
