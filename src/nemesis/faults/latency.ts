import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition } from '../fault.js'
import { aimFields, aimOf, oneAim, type AimOptions } from './aim.js'
import { offeredLinks } from './links.js'
import { networkInjection } from './network-injection.js'
import { durationSchema } from './options.js'

export interface LatencyOptions extends AimOptions {
  readonly delay: Duration
  /** The delay varies by up to this much either way. Default none. */
  readonly jitter?: Duration | undefined
}

/**
 * Delays traffic.
 *
 * Landed when traffic of each node that it is aimed at was delayed and a victim shows it: a reading of its own, or a
 * client's operation that waits for at least four fifths of the delay. Undone by removing the rule.
 */
export const latency: FaultDefinition<LatencyOptions> = {
  name: 'latency',
  category: 'network',
  needs: ['network'],
  options: z
    .strictObject({ ...aimFields, delay: durationSchema, jitter: durationSchema.optional() })
    .superRefine(oneAim),
  async inject(context, given) {
    const delayMs = milliseconds(given.delay, 'delay')
    const jitterMs = milliseconds(given.jitter ?? 0, 'jitter')
    const aim = await aimOf(context, 'latency', given)
    const links = offeredLinks(context, 'latency', aim.links)
    return networkInjection(context, {
      target: `${aim.target} by ${delayMs} ms${jitterMs === 0 ? '' : ` ± ${jitterMs} ms`}`,
      links,
      verb: 'delayed',
      mustMeet: aim.mustMeet,
      open: [],
      // With jitter some wait for less, and half of them for longer: those show it.
      stallMs: 0.8 * delayMs,
      put: () => context.network.delay(links, delayMs, jitterMs, { seed: context.seed ?? 1 }),
    })
  },
}
