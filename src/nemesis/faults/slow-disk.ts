import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, Target } from '../fault.js'
import { durationSchema, targetSchema } from './options.js'
import { storageInjection } from './storage-injection.js'

export interface SlowDiskOptions {
  readonly node: Target
  /** How much longer each write and each sync takes. */
  readonly delay: Duration
}

/**
 * Writes and syncs of a node take longer.
 *
 * Landed when some were delayed and a client's operation waits for at least four fifths of the delay, or fails. Undone
 * by taking the delay away.
 */
export const slowDisk: FaultDefinition<SlowDiskOptions> = {
  name: 'slow-disk',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options: z.strictObject({ node: targetSchema, delay: durationSchema }),
  inject(context, { node, delay }) {
    const delayMs = milliseconds(delay, 'delay')
    return storageInjection(context, {
      fault: 'slow-disk',
      node,
      disturbance: { kind: 'slow', delayMs },
      what: `writes and syncs ${delayMs} ms slower`,
      stallMs: 0.8 * Math.max(delayMs, 1),
    })
  },
}
