import { z } from 'zod'
import { FaultError } from '../../../errors.js'
import type { FaultContext } from '../../fault.js'

/**
 * In which order nodes are taken. `leader-first`: each time the node that leads then, while it was not taken yet, so
 * that leadership is lost again and again. `followers-first`: the node that leads then goes last. Or nodes and roles
 * by name.
 */
export type RollOrder = 'leader-first' | 'followers-first' | readonly string[]

export const orderSchema: z.ZodType<RollOrder> = z.union(
  [z.enum(['leader-first', 'followers-first']), z.array(z.string().min(1)).min(1)],
  "expected 'leader-first', 'followers-first', or a list of nodes and roles",
)

/** Whose turn it is. */
export interface Turn {
  readonly node: string
  /** Who led when its turn came; null when nobody did, or leadership plays no part. */
  readonly leader: string | null
}

/** All nodes that will be taken. Names and roles are looked up now; throws FaultError when one means nobody. */
export async function nodesToTake(context: FaultContext, order: RollOrder): Promise<readonly string[]> {
  if (typeof order === 'string') {
    // Asked for now, so that a system without a leader is told so before anything is changed.
    await context.resolve('leader')
    return context.resolve('all')
  }
  const taken = new Set<string>()
  for (const entry of order) for (const node of await context.resolve(entry)) taken.add(node)
  return [...taken]
}

/** Whose turn is next; null when all have been taken. */
export async function nextTurn(
  context: FaultContext,
  order: RollOrder,
  left: readonly string[],
): Promise<Turn | null> {
  const [first] = left
  if (first === undefined) return null
  if (typeof order !== 'string') return { node: first, leader: null }
  const leader = await leaderNow(context)
  const pick =
    order === 'leader-first' ? left.find((node) => node === leader) : left.find((node) => node !== leader)
  return { node: pick ?? first, leader }
}

async function leaderNow(context: FaultContext): Promise<string | null> {
  try {
    return (await context.resolve('leader'))[0] ?? null
  } catch (error) {
    // Between two restarts a cluster may be without a leader for long; the roll goes on in the order of the nodes.
    if (error instanceof FaultError && error.code === 'not-now') return null
    throw error
  }
}
