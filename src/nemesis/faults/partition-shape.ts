import { FaultError } from '../../errors.js'
import type { Link } from '../../systems/capabilities.js'
import type { FaultContext } from '../fault.js'
import { describeSides, linksFrom } from './links.js'
import type { PartitionOptions } from './partition.js'
import { sidesOf } from './partition-sides.js'

/** Which links a partition cuts. */
export interface PartitionShape {
  /** For people: `n1 | n2, n3`. */
  readonly target: string
  readonly links: readonly Link[]
  /** Ends of links, each of which must have had traffic that met the cut. */
  readonly mustMeet: readonly string[]
}

/** The shape of a partition, with late-bound targets resolved and draws made now. Throws FaultError where it cannot be had. */
export async function partitionShape(
  context: FaultContext,
  options: PartitionOptions,
): Promise<PartitionShape> {
  if (options.shape === 'ring') return ring(context)
  const sides = await sidesOf(context, options)
  const both = context.nodes.filter((node) => !sides.some((side) => side.includes(node)))
  return {
    target:
      both.length === 0 ? describeSides(sides) : `${describeSides(sides)} (${both.join(', ')} reaches all)`,
    links: sides.flatMap((side) =>
      sides.filter((other) => other !== side).flatMap((other) => linksFrom(side, other)),
    ),
    mustMeet: smallerSides(sides),
  }
}

/** Members of all sides but the largest; of all sides when they are equally large. */
function smallerSides(sides: readonly (readonly string[])[]): readonly string[] {
  const largest = Math.max(...sides.map((side) => side.length))
  const smaller = sides.filter((side) => side.length < largest)
  return (smaller.length === 0 ? sides : smaller).flat()
}

/**
 * The nodes in a drawn ring, of which each reaches its nearest neighbours on either side only: as many as make a
 * majority with itself. Everybody sees a majority, and no two the same (the majorities ring of Jepsen).
 *
 * Not every node has something to say to those on the far side: any link that met the cut will do.
 */
async function ring(context: FaultContext): Promise<PartitionShape> {
  const order: string[] = []
  while (order.length < context.nodes.length) order.push(...(await context.resolve('random', order)))
  const count = order.length
  // A majority has floor(n / 2) others, which are shared out to both sides.
  const reach = Math.ceil(Math.floor(count / 2) / 2)
  const apart = (i: number, k: number) => Math.min((k - i + count) % count, (i - k + count) % count)
  const links = order.flatMap((from, i) =>
    order.flatMap((to, k) => (apart(i, k) > reach ? [{ from, to }] : [])),
  )
  if (links.length === 0) {
    throw new FaultError('target', `partition: a ring of ${count} nodes has nothing to cut`, {
      hint: 'a ring needs four nodes or more; use isolate or groups',
    })
  }
  return { target: `ring ${order.join(' - ')}`, links, mustMeet: [] }
}
