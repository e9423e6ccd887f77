import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { offeredLinks } from './links.js'
import { networkInjection } from './network-injection.js'
import { establishedSchema, modeSchema, targetSchema } from './options.js'
import { partitionShape } from './partition-shape.js'

export interface PartitionOptions {
  /** Groups that cannot reach each other; `clients` may be a member. What is in no group reaches everyone. */
  readonly groups?: readonly (readonly string[])[] | undefined
  /** Cuts these nodes off from all other nodes. Clients still reach both sides. */
  readonly isolate?: Target | undefined
  /** Cuts a minority, drawn or named by `minority`, off from the rest; or draws two halves. */
  readonly split?: 'majority-minority' | 'halves' | undefined
  readonly minority?: Target | undefined
  /** Two halves that cannot reach each other, and one node that reaches both. */
  readonly bridge?: Target | undefined
  /** A drawn ring, in which each node reaches a majority of its nearest neighbours only, and no two the same. */
  readonly shape?: 'ring' | undefined
  /** `drop` (default): nothing comes back. `reject`: a reset does. */
  readonly mode?: 'drop' | 'reject' | undefined
  /** Connections that exist already: `cut` (default) like everything else, or `left` as they are. */
  readonly established?: 'cut' | 'left' | undefined
}

const options: z.ZodType<PartitionOptions> = z
  .strictObject({
    groups: z
      .array(z.array(z.string().min(1)).min(1, 'a group needs a member'))
      .min(2, 'expected two groups or more')
      .optional(),
    isolate: targetSchema.optional(),
    split: z.enum(['majority-minority', 'halves']).optional(),
    minority: targetSchema.optional(),
    bridge: targetSchema.optional(),
    shape: z.literal('ring').optional(),
    mode: modeSchema.optional(),
    established: establishedSchema.optional(),
  })
  .superRefine((given, context) => {
    const shapes = (['groups', 'isolate', 'split', 'bridge', 'shape'] as const).filter(
      (name) => given[name] !== undefined,
    )
    if (shapes.length !== 1) {
      const got = shapes.length === 0 ? 'none' : shapes.join(' and ')
      context.addIssue({
        code: 'custom',
        message: `give exactly one of groups, isolate, split, bridge, shape; got ${got}`,
      })
    }
    if (given.minority !== undefined && given.split !== 'majority-minority') {
      context.addIssue({
        code: 'custom',
        path: ['minority'],
        message: "goes with split: 'majority-minority'",
      })
    }
  })

/**
 * Full partition: groups of nodes that cannot reach each other in either direction.
 *
 * Landed when traffic of every node on the smaller sides (in a ring: of any node) has met the cut and a victim shows
 * it. Links that carried no traffic are reported with 0 and do not count against it. With `established: 'left'` it is
 * new connections that have to meet it. Undone by removing the rule.
 */
export const partition: FaultDefinition<PartitionOptions> = {
  name: 'partition',
  category: 'network',
  needs: ['network'],
  options,
  async inject(context, given) {
    const shape = await partitionShape(context, given)
    const links = offeredLinks(context, 'partition', shape.links)
    const mode = given.mode ?? 'drop'
    const established = given.established ?? 'cut'
    return networkInjection(context, {
      target: `${shape.target}${established === 'left' ? ' (open connections left)' : ''}`,
      links,
      verb: mode === 'drop' ? 'dropped' : 'rejected',
      mustMeet: shape.mustMeet,
      open: [],
      ...(established === 'left' ? { spares: 'connections' } : {}),
      stallMs: 250,
      put: () => context.network.block(links, mode, { established }),
    })
  },
}
