import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { clockInjection } from './clock-injection.js'
import { targetSchema } from './options.js'

export interface ClockRateOptions {
  readonly node: Target
  /** How many times as fast the clock runs: 0.5 is half as fast. */
  readonly factor: number
}

const factorHint = 'expected a factor from 0.01 to 100, and not 1'

/**
 * Lets the clocks of a node run slow or fast, monotonic ones as well, so that its timeouts, leases and timestamps drift
 * away from those of the others. Waiting in the kernel is not changed: a program that sleeps for a second does so, and
 * believes that it was another time.
 *
 * Landed when the processes of the node have the changed clock, and the node's own clock, asked by the system's `clock`,
 * has drifted as far as the factor says. Lost when the node is started anew. Undone by giving the processes their clock
 * back, which a fast clock sees as a step back.
 */
export const clockRate: FaultDefinition<ClockRateOptions> = {
  name: 'clock-rate',
  category: 'time',
  needs: ['lifecycle', 'clock'],
  options: z.strictObject({
    node: targetSchema,
    factor: z
      .number(factorHint)
      .min(0.01, factorHint)
      .max(100, factorHint)
      .refine((factor) => factor !== 1, factorHint),
  }),
  inject(context, { node, factor }) {
    return clockInjection(context, {
      fault: 'clock-rate',
      node,
      words: `to run ${factor} times as fast`,
      put: (name) => context.clocks.rate(name, factor),
      aheadMs: (elapsedMs) => (factor - 1) * elapsedMs,
    })
  },
}
