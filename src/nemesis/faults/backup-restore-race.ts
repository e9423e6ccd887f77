import { z } from 'zod'
import { FaultError, messageOf } from '../../errors.js'
import type { Evidence } from '../evidence.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { clients } from '../resolve.js'
import { seconds } from '../../time/wait.js'
import { targetSchema } from './options.js'

/** What a backup is, only the hooks know. */
export interface BackupRestoreRaceOptions<Backup = unknown> {
  /** One node, of which the backup is made. */
  readonly node: Target
  /** Makes a backup by the system's own means, such as `etcdctl snapshot save`, while clients go on. */
  backup(node: string): Promise<Backup> | Backup
  /** Restores it: into a new place, or over the node itself. */
  restore(backup: Backup, node: string): Promise<void> | void
  /**
   * What shows that something was restored, read before the backup and from the restore on: a revision, a number of
   * keys. Must differ in between.
   */
  proof(node: string): Promise<number | string> | number | string
  /** Takes away what was restored. */
  undo?(backup: Backup, node: string): Promise<void> | void
}

const hook = z.custom<never>((value) => typeof value === 'function', 'expected a function')

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
    backup: hook,
    restore: hook,
    proof: hook,
    undo: hook.optional(),
  }) as unknown as z.ZodType<BackupRestoreRaceOptions>,
  async inject(context, options) {
    const node = await theNode(context, options.node)
    const before = await call('proof', () => options.proof(node))
    context.injecting()
    const started = context.clock.now()
    const backup = await call('backup', () => options.backup(node))
    const backedUp = context.clock.now()
    const acked = acknowledged(context, started)
    await call('restore', () => options.restore(backup, node))
    const restored = context.clock.now()
    let undone = false
    return {
      target: node,
      mechanism: `backup and restore by the system's own means; backup done ${duration(started, backedUp)}, restore ${duration(backedUp, restored)}`,
      affects: context.nodes,
      async evidence(): Promise<readonly Evidence[]> {
        const after = await call('proof', () => options.proof(node))
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
        const last = await call('proof', () => options.proof(node))
        if (!undone) await call('undo', () => options.undo?.(backup, node))
        undone = true
        return [
          {
            side: 'injector',
            subject: node,
            signal: options.undo === undefined ? 'proof; nothing to undo' : 'proof, after undo',
            before: last,
            after: options.undo === undefined ? last : await afterUndo(options, node),
            at: context.clock.now(),
          },
        ]
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

/** What was restored may be gone now, and with it whatever could be asked. */
async function afterUndo(options: BackupRestoreRaceOptions, node: string): Promise<number | string> {
  try {
    return await options.proof(node)
  } catch (error) {
    return `cannot be read any more: ${messageOf(error)}`
  }
}

function acknowledged(context: InjectContext, since: number): number {
  return context.nodes.reduce((sum, node) => sum + context.activity(node, since).ok, 0)
}

async function call<T>(name: string, hook: () => Promise<T> | T): Promise<T> {
  try {
    return await hook()
  } catch (error) {
    throw new FaultError('hook', `backup-restore-race: \`${name}\` failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function duration(from: number, to: number): string {
  return `after ${seconds((to - from) / 1e6)}`
}
