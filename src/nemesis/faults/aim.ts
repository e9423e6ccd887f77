import { z } from 'zod'
import type { Link } from '../../systems/capabilities.js'
import type { FaultContext, Target } from '../fault.js'
import { clients } from '../resolve.js'
import { describeSides, linksFrom, resolveSides } from './links.js'
import { targetSchema } from './options.js'

/** What traffic a fault is about. */
export interface AimOptions {
  /** All traffic to and from these nodes, that of clients included where the system has such links. */
  readonly on?: Target | undefined
  /** Traffic between two sides, in both directions. */
  readonly between?: readonly [Target, Target] | undefined
  /** Traffic in one direction; goes with `to`. */
  readonly from?: Target | undefined
  readonly to?: Target | undefined
}

/** The fields of `AimOptions`. */
export const aimFields = {
  on: targetSchema.optional(),
  between: z.tuple([targetSchema, targetSchema]).optional(),
  from: targetSchema.optional(),
  to: targetSchema.optional(),
}

/** Refuses options that aim at nothing, or in two ways. */
export function oneAim(given: AimOptions, context: z.RefinementCtx): void {
  const shapes = [given.on, given.between, given.from ?? given.to].filter((shape) => shape !== undefined)
  if (shapes.length !== 1) {
    context.addIssue({ code: 'custom', message: 'give exactly one of on, between, or from and to' })
  } else if ((given.from === undefined) !== (given.to === undefined)) {
    context.addIssue({ code: 'custom', message: 'from and to go together' })
  }
}

/** Links to put a rule on. */
export interface Aim {
  /** For people. */
  readonly target: string
  readonly links: readonly Link[]
  /** Ends of links, each of which must have had traffic that met the rule. */
  readonly mustMeet: readonly string[]
}

/** The links that are aimed at, with late-bound targets resolved now. */
export async function aimOf(context: FaultContext, fault: string, given: AimOptions): Promise<Aim> {
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
    const [one, other] = await resolveSides(context, fault, given.between)
    return {
      target: describeSides([one, other]),
      links: [...linksFrom(one, other), ...linksFrom(other, one)],
      mustMeet: one.length <= other.length ? one : other,
    }
  }
  const [from, to] = await resolveSides(context, fault, [given.from ?? 'all', given.to ?? 'others'])
  return { target: `${from.join(', ')} -> ${to.join(', ')}`, links: linksFrom(from, to), mustMeet: from }
}
