import type { Link } from '../../capabilities.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { firstThatWorks } from './first-that-works.js'
import { queueRule } from './queue-rule.js'
import { readConnections, slowFrom } from './round-trips.js'
import { shapeLinks } from './shape.js'

export interface Delay {
  readonly delayMs: number
  readonly jitterMs: number
  readonly seed: number
}

/**
 * Delays the links: at the receiver by the queue delayer, which counts every packet that it holds; where that cannot
 * be had, at the sender by tc netem.
 *
 * Throws EnvironmentError naming what to install when neither works here.
 */
export function delayLinks(
  context: RuleContext,
  links: readonly Link[],
  delay: Delay,
): Promise<NamespaceRule> {
  return firstThatWorks('links cannot be delayed', [
    { needs: 'iptables NFQUEUE and a C compiler', put: () => delayByQueue(context, links, delay) },
    { needs: 'a kernel with tc netem', put: () => delayByNetem(context, links, delay) },
  ])
}

/** Delays the links by the program behind NFQUEUE. */
export function delayByQueue(
  context: RuleContext,
  links: readonly Link[],
  delay: Delay,
): Promise<NamespaceRule> {
  const treatment = { kind: 'delay', ...delay } as const
  return queueRule(context, links, { treatment, table: 'filter', victims: slowed(context, links, delay) })
}

/** Delays the links by tc netem. */
export function delayByNetem(
  context: RuleContext,
  links: readonly Link[],
  delay: Delay,
): Promise<NamespaceRule> {
  return shapeLinks(context, links, {
    discipline: `netem delay ${delay.delayMs}ms ${delay.jitterMs}ms limit 100000`,
    count: ({ packets }) => ({ met: packets, passed: 0 }),
    victims: slowed(context, links, delay),
  })
}

function slowed(context: RuleContext, links: readonly Link[], { delayMs }: Delay) {
  // Half of the delay, whatever the jitter: the round trip that TCP keeps is an average that follows slowly.
  const slowFromMs = Math.max(1, Math.round(delayMs / 2))
  return () => readConnections(context, links, [slowFrom(slowFromMs)])
}
