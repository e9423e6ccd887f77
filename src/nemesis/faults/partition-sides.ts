import { FaultError } from '../../errors.js'
import type { FaultContext } from '../fault.js'
import { requireDisjoint, resolveSides } from './links.js'
import type { PartitionOptions } from './partition.js'

/** The sides of a partition, resolved now; each has a member and none shares one. Throws FaultError otherwise. */
export async function sidesOf(
  context: FaultContext,
  { groups, isolate, split, minority, bridge }: PartitionOptions,
): Promise<readonly (readonly string[])[]> {
  if (groups !== undefined) return resolveGroups(context, groups)
  if (isolate !== undefined) return resolveSides(context, 'partition', [isolate, 'others'])
  if (bridge !== undefined) return halvesAround(context, await context.resolve(bridge))
  if (split === 'halves') {
    const [half] = await halvesAround(context, [])
    // Asked for, so that whoever watches what a fault resolves sees both sides.
    return [half, await context.resolve('others', half)]
  }
  const sides = await resolveSides(context, 'partition', [minority ?? 'minority', 'others'])
  if (sides[0].length < sides[1].length) return sides
  throw new FaultError(
    'target',
    `partition: ${sides[0].join(', ')} is no minority of ${context.nodes.length} nodes`,
    {
      hint: 'name fewer nodes, or use groups',
    },
  )
}

async function resolveGroups(
  context: FaultContext,
  groups: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  const sides: (readonly string[])[] = []
  for (const group of groups) sides.push(await context.resolve(group, sides.flat()))
  requireDisjoint('partition', sides)
  return sides
}

/** Draws half of the nodes that are not in the middle; the rest are the other half. */
async function halvesAround(
  context: FaultContext,
  middle: readonly string[],
): Promise<readonly [readonly string[], readonly string[]]> {
  const size = Math.floor((context.nodes.length - middle.length) / 2)
  const half: string[] = []
  while (half.length < size) half.push(...(await context.resolve('random', [...middle, ...half])))
  const rest = context.nodes.filter((node) => !middle.includes(node) && !half.includes(node))
  const sides = [half, rest] as const
  requireDisjoint('partition', sides)
  return sides
}
