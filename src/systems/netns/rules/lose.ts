import type { Link } from '../../capabilities.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { firstThatWorks } from './first-that-works.js'
import { nftRule } from './nft-rule.js'
import { queueRule } from './queue-rule.js'
import { shapeLinks } from './shape.js'
import { statisticRule } from './statistic-rule.js'
import { readVictims } from './victims.js'

export interface Loss {
  /** From 0 to 1. */
  readonly share: number
  readonly seed: number
}

/**
 * Loses a share of the packets on the links: at the receiver by nft, by iptables, or by the program behind NFQUEUE;
 * where none of these can be had, at the sender by tc netem. Only the program draws the same for the same seed.
 *
 * Throws EnvironmentError naming what to install when none works here.
 */
export function loseLinks(context: RuleContext, links: readonly Link[], loss: Loss): Promise<NamespaceRule> {
  const { share } = loss
  return firstThatWorks('links cannot lose packets', [
    { needs: 'nft with numgen', put: () => nftRule(context, links, { kind: 'lose', share }) },
    { needs: 'iptables statistic', put: () => loseByStatistic(context, links, loss) },
    { needs: 'iptables NFQUEUE and a C compiler', put: () => loseByQueue(context, links, loss) },
    { needs: 'a kernel with tc netem', put: () => loseByNetem(context, links, loss) },
  ])
}

/** Loses packets by the `statistic` match of iptables. */
export function loseByStatistic(
  context: RuleContext,
  links: readonly Link[],
  { share }: Loss,
): Promise<NamespaceRule> {
  return statisticRule(context, links, { share, victims: () => readVictims(context, links) })
}

/** Loses packets by the program behind NFQUEUE. */
export function loseByQueue(
  context: RuleContext,
  links: readonly Link[],
  loss: Loss,
): Promise<NamespaceRule> {
  const treatment = { kind: 'loss', ...loss } as const
  return queueRule(context, links, { treatment, table: 'mangle', victims: () => readVictims(context, links) })
}

/** Loses packets by tc netem. */
export function loseByNetem(
  context: RuleContext,
  links: readonly Link[],
  { share }: Loss,
): Promise<NamespaceRule> {
  return shapeLinks(context, links, {
    discipline: `netem loss ${100 * share}% limit 100000`,
    count: ({ packets, drops }) => ({ met: drops, passed: packets }),
    victims: () => readVictims(context, links),
  })
}
