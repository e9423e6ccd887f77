import { z } from 'zod'
import type { Link } from '../../systems/capabilities.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultContext, FaultDefinition, Target } from '../fault.js'
import { describeSides, linksFrom, offeredLinks, resolveSides } from './links.js'
import { networkInjection } from './network-injection.js'
import { durationSchema, targetSchema } from './options.js'
import { clients } from '../resolve.js'

export interface LatencyOptions {
  /** All traffic to and from these nodes, that of clients included where the system has such links. */
  readonly on?: Target | undefined
  /** Traffic between two sides, in both directions. */
  readonly between?: readonly [Target, Target] | undefined
  /** Traffic in one direction; goes with `to`. */
  readonly from?: Target | undefined
  readonly to?: Target | undefined
  readonly delay: Duration
  /** The delay varies by up to this much either way. Default none. */
  readonly jitter?: Duration | undefined
}

const options: z.ZodType<LatencyOptions> = z
  .strictObject({
    on: targetSchema.optional(),
    between: z.tuple([targetSchema, targetSchema]).optional(),
    from: targetSchema.optional(),
    to: targetSchema.optional(),
    delay: durationSchema,
    jitter: durationSchema.optional(),
  })
  .superRefine((given, context) => {
    const shapes = [given.on, given.between, given.from ?? given.to].filter((shape) => shape !== undefined)
    if (shapes.length !== 1) {
      context.addIssue({ code: 'custom', message: 'give exactly one of on, between, or from and to' })
    } else if ((given.from === undefined) !== (given.to === undefined)) {
      context.addIssue({ code: 'custom', message: 'from and to go together' })
    }
  })

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
  options,
  async inject(context, given) {
    const delayMs = milliseconds(given.delay, 'delay')
    const jitterMs = milliseconds(given.jitter ?? 0, 'jitter')
    const aim = await aimOf(context, given)
    const links = offeredLinks(context, 'latency', aim.links)
    return networkInjection(context, {
      target: `${aim.target} by ${delayMs} ms${jitterMs === 0 ? '' : ` ± ${jitterMs} ms`}`,
      links,
      verb: 'delayed',
      mustMeet: aim.mustMeet,
      open: [],
      stallMs: 0.8 * Math.max(delayMs - jitterMs, 1),
      put: () => context.network.delay(links, delayMs, jitterMs),
    })
  },
}

interface Aim {
  readonly target: string
  readonly links: readonly Link[]
  readonly mustMeet: readonly string[]
}

async function aimOf(context: FaultContext, given: LatencyOptions): Promise<Aim> {
  if (given.on !== undefined) {
    const on = await context.resolve(given.on)
    const rest = [...context.nodes, clients].filter((end) => !on.includes(end))
    return {
      target: on.join(', '),
      links: [
        ...linksFrom(on, on).filter(({ from, to }) => from !== to),
        ...linksFrom(on, rest),
        ...linksFrom(rest, on),
      ],
      mustMeet: on,
    }
  }
  if (given.between !== undefined) {
    const [one, other] = await resolveSides(context, 'latency', given.between)
    return {
      target: describeSides([one, other]),
      links: [...linksFrom(one, other), ...linksFrom(other, one)],
      mustMeet: one.length <= other.length ? one : other,
    }
  }
  const [from, to] = await resolveSides(context, 'latency', [given.from ?? 'all', given.to ?? 'others'])
  return { target: `${from.join(', ')} -> ${to.join(', ')}`, links: linksFrom(from, to), mustMeet: from }
}
