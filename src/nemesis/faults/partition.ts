import { z } from 'zod'
import type { FaultContext, FaultDefinition, InjectContext, Target } from '../fault.js'
import { describeSides, linksFrom, offeredLinks } from './links.js'
import { networkInjection } from './network-injection.js'
import { modeSchema, targetSchema } from './options.js'
import { sidesOf } from './partition-sides.js'

export interface PartitionOptions {
  /** Groups that cannot reach each other; `clients` may be a member. What is in no group reaches everyone. */
  readonly groups?: readonly (readonly string[])[] | undefined
  /** Cuts these nodes off from all other nodes. Clients still reach both sides. */
  readonly isolate?: Target | undefined
  /** Cuts a minority, drawn or named by `minority`, off from the rest. */
  readonly split?: 'majority-minority' | undefined
  readonly minority?: Target | undefined
  /** Two halves that cannot reach each other, and one node that reaches both. */
  readonly bridge?: Target | undefined
  /** `drop` (default): nothing comes back. `reject`: a reset does. */
  readonly mode?: 'drop' | 'reject' | undefined
}

const options: z.ZodType<PartitionOptions> = z
  .strictObject({
    groups: z
      .array(z.array(z.string().min(1)).min(1, 'a group needs a member'))
      .min(2, 'expected two groups or more')
      .optional(),
    isolate: targetSchema.optional(),
    split: z.literal('majority-minority').optional(),
    minority: targetSchema.optional(),
    bridge: targetSchema.optional(),
    mode: modeSchema.optional(),
  })
  .superRefine((given, context) => {
    const shapes = (['groups', 'isolate', 'split', 'bridge'] as const).filter(
      (name) => given[name] !== undefined,
    )
    if (shapes.length !== 1) {
      const got = shapes.length === 0 ? 'none' : shapes.join(' and ')
      context.addIssue({
        code: 'custom',
        message: `give exactly one of groups, isolate, split, bridge; got ${got}`,
      })
    }
    if (given.minority !== undefined && given.split === undefined) {
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
 * Landed when traffic of every node on the smaller sides has met the cut and a victim shows it. Links between sides
 * that carried no traffic are reported with 0 and do not count against it. Undone by removing the rule.
 */
export const partition: FaultDefinition<PartitionOptions> = {
  name: 'partition',
  category: 'network',
  needs: ['network'],
  options,
  async inject(context: InjectContext, given) {
    const sides = await sidesOf(context, given)
    const wanted = sides.flatMap((side) =>
      sides.filter((other) => other !== side).flatMap((other) => linksFrom(side, other)),
    )
    const links = offeredLinks(context, 'partition', wanted)
    const mode = given.mode ?? 'drop'
    return networkInjection(context, {
      target: describeTarget(context, sides),
      links,
      verb: mode === 'drop' ? 'dropped' : 'rejected',
      mustMeet: smallerSides(sides),
      open: [],
      stallMs: 250,
      put: () => context.network.block(links, mode),
    })
  },
}

function describeTarget(context: FaultContext, sides: readonly (readonly string[])[]): string {
  const both = context.nodes.filter((node) => !sides.some((side) => side.includes(node)))
  return both.length === 0 ? describeSides(sides) : `${describeSides(sides)} (${both.join(', ')} reaches all)`
}

/** Members of all sides but the largest; of all sides when they are equally large. */
function smallerSides(sides: readonly (readonly string[])[]): readonly string[] {
  const largest = Math.max(...sides.map((side) => side.length))
  const smaller = sides.filter((side) => side.length < largest)
  return (smaller.length === 0 ? sides : smaller).flat()
}
