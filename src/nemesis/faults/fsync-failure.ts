import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { targetSchema } from './options.js'
import { storageInjection } from './storage-injection.js'

export interface FsyncFailureOptions {
  readonly node: Target
  /** What fsync answers. Default `EIO`. */
  readonly error?: 'EIO' | 'ENOSPC' | undefined
  /** Restarts the node when the fault is undone. Default false. */
  readonly restart?: boolean | undefined
}

/**
 * A node's syncs fail: whether what it wrote before is on the disk, it cannot know.
 *
 * Landed when a sync was made to fail and the node's clients fail or it ends. Undone by letting syncs through. A
 * program may refuse writes for good after a failure (Redis does while it has nothing new to sync): `restart` ends that.
 */
export const fsyncFailure: FaultDefinition<FsyncFailureOptions> = {
  name: 'fsync-failure',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options: z.strictObject({
    node: targetSchema,
    error: z.enum(['EIO', 'ENOSPC']).optional(),
    restart: z.boolean().optional(),
  }),
  inject: (context, { node, error = 'EIO', restart = false }) =>
    storageInjection(context, {
      fault: 'fsync-failure',
      node,
      disturbance: { kind: 'fail', operation: 'fsync', error },
      what: `syncs fail with ${error}`,
      stallMs: 250,
      restart,
    }),
}
