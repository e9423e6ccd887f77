import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { targetSchema } from './options.js'
import { describeState, endedByKill } from './process-evidence.js'
import { takeDown } from './take-down.js'

export interface KillOptions {
  readonly node: Target
}

/**
 * Hard kill: SIGKILL, no chance to flush or say goodbye. The page cache of the machine survives, so it is no power loss.
 *
 * Landed when the engine or kernel reports an end by SIGKILL and the node's port no longer answers, or its clients
 * fail. Undone by starting the node again.
 */
export const kill: FaultDefinition<KillOptions> = {
  name: 'kill',
  category: 'process',
  needs: ['lifecycle'],
  options: z.strictObject({ node: targetSchema }),
  inject: (context, { node }) =>
    takeDown(context, node, {
      fault: 'kill',
      mechanism: context.lifecycle.mechanism,
      end: (name) => context.lifecycle.kill(name),
      unlike: (name, state) =>
        endedByKill(state) ? null : `${name} ended by itself, not by the kill: ${describeState(state)}`,
    }),
}
