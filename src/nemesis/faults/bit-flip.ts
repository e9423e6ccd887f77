import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { targetSchema } from './options.js'
import { storageInjection } from './storage-injection.js'

export interface BitFlipOptions {
  readonly node: Target
  /** Flips bits in what the node is given (`read`), or in what reaches its disk (`write`). Default `read`. */
  readonly on?: 'read' | 'write' | undefined
  /** One bit in every so many reads or writes. Default 1: in each. */
  readonly oneIn?: number | undefined
}

/**
 * One bit of a node's data changes, silently, on the way from the disk or to it.
 *
 * Landed when a bit was flipped: what the disk counted on one side, the byte as the node was given it, or as it lies on
 * the disk, on the other. Undone by flipping no more; what was written with a flipped bit stays as it is, as on a disk.
 */
export const bitFlip: FaultDefinition<BitFlipOptions> = {
  name: 'bit-flip',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options: z.strictObject({
    node: targetSchema,
    on: z.enum(['read', 'write']).optional(),
    oneIn: z.int().min(1).optional(),
  }),
  inject(context, { node, on = 'read', oneIn = 1 }) {
    const which = oneIn === 1 ? `each ${on}` : `one in ${oneIn} ${on}s`
    return storageInjection(context, {
      fault: 'bit-flip',
      node,
      disturbance: { kind: 'flip', on, every: oneIn },
      what: `a bit flipped in ${which}`,
      stallMs: 250,
    })
  },
}
