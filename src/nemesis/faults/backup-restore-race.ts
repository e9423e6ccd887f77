import { z } from 'zod'
import { FaultError, messageOf } from '../../errors.js'
import type { Evidence } from '../evidence.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { clients } from '../resolve.js'
import { seconds } from '../../time/wait.js'
import { hookFields, type HookOptions, hookSchema, type NodeHookContext } from './cluster/hook.js'
import { Hooks, type Purpose } from './cluster/hooks.js'
import { targetSchema } from './options.js'
import { takeBack } from './take-back.js'

/** What a hook is given that does something with the backup: only the hooks know what that is. */
export interface BackupHookContext<Backup> extends NodeHookContext {
  readonly backup: Backup
}

export interface BackupRestoreRaceOptions<Backup = unknown> extends HookOptions {
  /** One node, of which the backup is made. */
  readonly node: Target
  /** Makes a backup by the system's own means, such as `etcdctl snapshot save`, while clients go on. */
  backup(context: NodeHookContext): Promise<Backup> | Backup
  /** Restores it: into a new place, or over the node itself. */
  restore(context: BackupHookContext<Backup>): unknown
  /**
   * What shows that something was restored, read before the backup and from the restore on: a revision, a number of
   * keys. Must differ in between.
   */
  proof(context: NodeHookContext): Promise<number | string> | number | string
  /** Takes away what was restored. */
  undo?(context: BackupHookContext<Backup>): unknown
}

/**
 * A backup that is made while clients are served, and restored.
 *
 * Landed when operations were acknowledged while the backup was being made, and the proof reads something else than
 * before. Ends by itself; `undo` takes away what was restored.
 */
export const backupRestoreRace: FaultDefinition<BackupRestoreRaceOptions> = {
  name: 'backup-restore-race',
  category: 'storage',
  needs: [],
  oneShot: true,
  options: z.strictObject({
    node: targetSchema,
    backup: hookSchema,
    restore: hookSchema,
    proof: hookSchema,
    undo: hookSchema.optional(),
    ...hookFields,
  }) as unknown as z.ZodType<BackupRestoreRaceOptions>,
  async inject(context, options) {
    const node = await theNode(context, options.node)
    const hooks = new Hooks(context, {
      fault: 'backup-restore-race',
      hookTimeout: options.hookTimeout,
    })
    const proof = (purpose: Purpose) => hooks.onNode({ name: 'proof', call: options.proof }, node, purpose)
    const before = await proof('inject')
    context.injecting()
    const started = context.clock.now()
    const backup = await hooks.onNode({ name: 'backup', call: options.backup }, node, 'inject')
    const backedUp = context.clock.now()
    const acked = acknowledged(context, started)
    let undone = options.undo === undefined
    const undo = async (): Promise<void> => {
      if (undone) return
      const call = (given: NodeHookContext) => options.undo?.({ ...given, backup })
      await hooks.onNode({ name: 'undo', call }, node, 'undo')
      undone = true
    }
    const restore = (given: NodeHookContext) => options.restore({ ...given, backup })
    await hooks
      .onNode({ name: 'restore', call: restore }, node, 'inject')
      // It may have got half way.
      .catch((error: unknown) => takeBack(error, undo))
    const restored = context.clock.now()
    return {
      target: node,
      mechanism: `backup and restore by the system's own means; backup done ${duration(started, backedUp)}, restore ${duration(backedUp, restored)}`,
      affects: context.nodes,
      async evidence(): Promise<readonly Evidence[]> {
        const after = await proof('inject')
        const reading = { side: 'injector', subject: node } as const
        return [
          {
            ...reading,
            signal: 'client operations acknowledged while the backup was made',
            before: 0,
            after: acked,
            at: backedUp,
          },
          {
            ...reading,
            signal: 'backup made',
            before: 'no',
            after: duration(started, backedUp),
            at: backedUp,
          },
          { ...reading, signal: 'restored', before: 'no', after: duration(backedUp, restored), at: restored },
          { side: 'victim', subject: node, signal: 'proof', before, after, at: context.clock.now() },
        ]
      },
      objection: () =>
        acked > 0
          ? null
          : `no operation was acknowledged while the backup of ${node} was made (done ${duration(started, backedUp)}): nothing raced with it`,
      async heal() {
        const reading = { side: 'injector', subject: node } as const
        const last = await readAnyway(proof)
        if (options.undo === undefined) {
          const signal = 'proof; nothing to undo'
          return [{ ...reading, signal, before: last, after: last, at: context.clock.now() }]
        }
        await undo()
        const after = await readAnyway(proof)
        return [{ ...reading, signal: 'proof, after undo', before: last, after, at: context.clock.now() }]
      },
    } satisfies Injection
  },
}

async function theNode(context: InjectContext, target: Target): Promise<string> {
  const [node, ...others] = await context.resolve(target)
  if (node !== undefined && others.length === 0 && node !== clients) return node
  throw new FaultError(
    'target',
    `backup-restore-race: ${JSON.stringify(target)} means ${others.length + 1} nodes`,
    {
      hint: 'a backup is made of one node',
    },
  )
}

/** What was restored may have failed, or be gone after its undo, and with it whatever could be asked. */
async function readAnyway(proof: (purpose: Purpose) => Promise<number | string>): Promise<number | string> {
  try {
    return await proof('undo')
  } catch (error) {
    return `cannot be read any more: ${messageOf(error)}`
  }
}

function acknowledged(context: InjectContext, since: number): number {
  return context.nodes.reduce((sum, node) => sum + context.activity(node, since).ok, 0)
}

function duration(from: number, to: number): string {
  return `after ${seconds((to - from) / 1e6)}`
}
