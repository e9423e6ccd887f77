import { z } from 'zod'
import type { Evidence } from '../evidence.js'
import { changed, type FaultDefinition, type Target } from '../fault.js'
import { affectedBy } from './affected.js'
import { callRecorded } from './cluster/call-recorded.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks } from './cluster/hooks.js'
import { readingOf } from './cluster/reading.js'
import { targetNodes } from './cluster/target-nodes.js'
import { targetSchema } from './options.js'

export interface CompactionOptions extends HookOptions {
  readonly node: Target
  /** Starts the system's own compaction or collection, and preferably resolves when it is done. */
  readonly trigger: NodeHook
  /** How far the node has come, such as a count of compacted keys or the size of a file. */
  readonly progress: NodeHook
}

/**
 * Compaction or garbage collection of the system's own while clients read and write. One shot; it cannot be undone.
 *
 * Landed when the hook came back and the progress of each node changed.
 */
export const compaction: FaultDefinition<CompactionOptions> = {
  name: 'compaction',
  category: 'cluster',
  needs: [],
  oneShot: true,
  options: z.strictObject({
    node: targetSchema,
    trigger: hookSchema,
    progress: hookSchema,
    ...hookFields,
  }),
  async inject(context, { node: target, trigger, progress, hookTimeout }) {
    const fault = 'compaction'
    const nodes = await targetNodes(context, target, fault)
    const hooks = new Hooks(context, { fault, hookTimeout })
    const read = async (node: string, purpose: 'inject' | 'undo') =>
      readingOf(
        await hooks.onNode({ name: 'progress', call: progress }, node, purpose),
        `progress() on ${node}`,
      )
    const before = await Promise.all(nodes.map((node) => read(node, 'inject')))
    context.injecting()
    const triggered = await Promise.all(
      nodes.map((node) =>
        callRecorded(context, { subject: node, hook: 'trigger' }, () =>
          hooks.onNode({ name: 'trigger', call: trigger }, node, 'inject'),
        ),
      ),
    )
    const look = (purpose: 'inject' | 'undo') =>
      Promise.all(
        nodes.map(async (node, index): Promise<Evidence> => {
          const after = await read(node, purpose)
          const at = context.clock.now()
          return {
            side: 'victim',
            subject: node,
            signal: 'progress',
            before: before[index] ?? null,
            after,
            at,
          }
        }),
      )
    let objection: string | null = null
    return {
      target: nodes.join(', '),
      mechanism: 'hook trigger()',
      affects: affectedBy(
        context,
        nodes.map((node) => ({ node })),
      ),
      async evidence() {
        const readings = await look('inject')
        const still = readings.find((item) => !changed(item))
        objection = still === undefined ? null : `the progress of ${still.subject} stayed ${still.after}`
        return [...triggered.map(({ evidence }) => evidence), ...readings]
      },
      objection: () => objection,
      heal: () => look('undo'),
    }
  },
}
