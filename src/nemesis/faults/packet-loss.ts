import { z } from 'zod'
import { EnvironmentError } from '../../errors.js'
import type { LinkCounter } from '../../systems/capabilities.js'
import type { FaultDefinition } from '../fault.js'
import { aimFields, aimOf, oneAim, type AimOptions } from './aim.js'
import { offeredLinks } from './links.js'
import { networkInjection } from './network-injection.js'

export interface PacketLossOptions extends AimOptions {
  /** Which share of the packets is lost: above 0, at most 1. */
  readonly share: number
}

/**
 * Loses a share of the packets, at random.
 *
 * Landed when packets of each node that it is aimed at were lost and a victim shows it: its kernel sent segments again,
 * or its clients fail or wait. The evidence holds the share that was lost in fact. Undone by removing the rule.
 */
export const packetLoss: FaultDefinition<PacketLossOptions> = {
  name: 'packet-loss',
  category: 'network',
  needs: ['network'],
  options: z
    .strictObject({
      ...aimFields,
      share: z
        .number()
        .gt(0, 'expected a share above 0, such as 0.2')
        .max(1, 'expected a share of 1 at most: 0.2 is 20%'),
    })
    .superRefine(oneAim),
  async inject(context, given) {
    const lose = context.network.lose?.bind(context.network)
    if (lose === undefined) {
      throw new EnvironmentError(
        'packets to lose',
        'packet-loss: the links of this system are connections through a TCP proxy, which has no packets to lose',
        'run the system in containers or in network namespaces, or use latency or bandwidth',
      )
    }
    const aim = await aimOf(context, 'packet-loss', given)
    const links = offeredLinks(context, 'packet-loss', aim.links)
    return networkInjection(context, {
      target: `${aim.target} losing ${percent(given.share)}%`,
      links,
      verb: 'lost',
      mustMeet: aim.mustMeet,
      open: [],
      spares: 'some',
      measure: lostShare,
      stallMs: 250,
      put: () => lose(links, given.share, { seed: context.seed ?? 1 }),
    })
  },
}

function lostShare({ met, passed }: LinkCounter): { signal: string; value: number } | null {
  const seen = met + passed
  return seen === 0 ? null : { signal: 'share of packets lost (%)', value: percent(met / seen) }
}

function percent(share: number): number {
  return Math.round(1_000 * share) / 10
}
