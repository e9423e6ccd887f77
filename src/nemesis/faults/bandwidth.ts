import { z } from 'zod'
import { EnvironmentError } from '../../errors.js'
import type { LinkCounter } from '../../systems/capabilities.js'
import type { FaultDefinition } from '../fault.js'
import { aimFields, aimOf, oneAim, type AimOptions } from './aim.js'
import { offeredLinks } from './links.js'
import { networkInjection } from './network-injection.js'
import { bitsPerSecond, rateSchema, type Rate } from './rate.js'

export interface BandwidthOptions extends AimOptions {
  /** What each link lets through in a second: `'1mbit'`, `'500kbit'`, or a number of bits. */
  readonly rate: Rate
}

/**
 * Caps what a link lets through.
 *
 * Landed when traffic of each node that it is aimed at was held back, so that the cap was reached, and a victim shows
 * it: data that waits, longer round trips, or clients that wait. Undone by removing the rule.
 */
export const bandwidth: FaultDefinition<BandwidthOptions> = {
  name: 'bandwidth',
  category: 'network',
  needs: ['network'],
  options: z.strictObject({ ...aimFields, rate: rateSchema }).superRefine(oneAim),
  async inject(context, given) {
    const limit = context.network.limit?.bind(context.network)
    if (limit === undefined) {
      throw new EnvironmentError(
        'links with a rate',
        'bandwidth: this system offers no way to cap what its links let through',
        'leave the fault proxy on, or run the system in containers',
      )
    }
    const aim = await aimOf(context, 'bandwidth', given)
    const links = offeredLinks(context, 'bandwidth', aim.links)
    return networkInjection(context, {
      target: `${aim.target} at ${typeof given.rate === 'number' ? `${given.rate} bit` : given.rate} a second`,
      links,
      verb: 'held back',
      mustMeet: aim.mustMeet,
      open: [],
      spares: 'some',
      measure: heldBytes,
      stallMs: 250,
      put: () => limit(links, bitsPerSecond(given.rate) as number),
    })
  },
}

function heldBytes({ metBytes }: LinkCounter): { signal: string; value: number } | null {
  return metBytes === undefined ? null : { signal: 'bytes held back', value: metBytes }
}
