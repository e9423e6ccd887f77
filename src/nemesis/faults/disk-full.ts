import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { targetSchema } from './options.js'
import { storageInjection } from './storage-injection.js'

export interface DiskFullOptions {
  readonly node: Target
}

/**
 * No space is left under a node's data: its writes get ENOSPC.
 *
 * Landed when the space is gone, or writes were made to fail, and its clients fail or it ends. Undone by giving the
 * space back.
 */
export const diskFull: FaultDefinition<DiskFullOptions> = {
  name: 'disk-full',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options: z.strictObject({ node: targetSchema }),
  inject: (context, { node }) =>
    storageInjection(context, {
      fault: 'disk-full',
      node,
      disturbance: { kind: 'full' },
      what: 'no space left',
      stallMs: 250,
    }),
}
