import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, Target } from '../fault.js'
import { seconds } from '../../time/wait.js'
import { durationSchema, targetSchema } from './options.js'
import { endedByKill } from './process-evidence.js'
import { takeDown } from './take-down.js'

export interface StopOptions {
  readonly node: Target
  /** How long the node may take to end by itself. Default 10 s. */
  readonly grace?: Duration | undefined
}

/**
 * Graceful stop: asks the node to end and waits.
 *
 * Landed when the node has ended within the grace by itself: a node that had to be killed does not count, as that is
 * another fault. Undone by starting the node again.
 */
export const stop: FaultDefinition<StopOptions> = {
  name: 'stop',
  category: 'process',
  needs: ['lifecycle'],
  options: z.strictObject({ node: targetSchema, grace: durationSchema.optional() }),
  inject: (context, { node, grace }) => {
    const graceMs = milliseconds(grace ?? '10s', 'grace')
    return takeDown(context, node, {
      fault: 'stop',
      mechanism: `${context.lifecycle.mechanism}; asked to end, ${seconds(graceMs)} grace`,
      end: (name) => context.lifecycle.stop(name, graceMs),
      unlike: (name, state) =>
        endedByKill(state)
          ? `${name} did not end within ${seconds(graceMs)} of being asked and was killed: that is a kill, not a graceful stop`
          : null,
    })
  },
}
