import { FaultError } from '../../../errors.js'
import type { FaultContext, Target } from '../../fault.js'
import { clients } from '../../resolve.js'

/** The nodes that a target means now. Throws FaultError when it means none, or the clients. */
export async function targetNodes(
  context: FaultContext,
  target: Target,
  fault: string,
): Promise<readonly string[]> {
  const nodes = await context.resolve(target)
  if (nodes.length > 0 && !nodes.includes(clients)) return nodes
  throw new FaultError('target', `${fault}: ${JSON.stringify(target)} means no node`, {
    hint: `the system has the nodes ${context.nodes.join(', ')}`,
  })
}
