import { FaultError } from '../../errors.js'
import type { NodeState } from '../../systems/capabilities.js'
import type { FaultContext, Target } from '../fault.js'
import { clients } from '../resolve.js'
import { watchClients, type ClientWatch } from './client-trouble.js'
import { probe } from './probe.js'
import { describeState } from './process-evidence.js'

/** An operation that waits this long at a node that has been taken away counts as a sign of it. */
const stallMs = 250

/** A node about to be faulted, with what was read before. */
export interface ProcessTarget {
  readonly node: string
  readonly state: NodeState
  readonly probe: string | null
  readonly clients: ClientWatch
}

/** Resolves the target and reads each node's baseline. Throws FaultError when one of them is not running. */
export async function processTargets(
  context: FaultContext,
  target: Target,
  fault: string,
): Promise<readonly ProcessTarget[]> {
  const nodes = await context.resolve(target)
  if (nodes.length === 0 || nodes.includes(clients)) {
    throw new FaultError('target', `${fault}: ${JSON.stringify(target)} means no node`, {
      hint: `the system has the nodes ${context.nodes.join(', ')}`,
    })
  }
  return Promise.all(
    nodes.map(async (node) => {
      const state = await context.lifecycle.state(node)
      if (state.status !== 'running') {
        throw new FaultError('not-now', `${fault}: ${node} is not running: ${describeState(state)}`, {
          hint: 'it ended by itself (see its log), or another fault that overlaps this one has it already',
        })
      }
      return {
        node,
        state,
        probe: await probe(context, node),
        clients: watchClients(context, node, { stallMs }),
      }
    }),
  )
}
