import type { Link } from '../../capabilities.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { firstThatWorks } from './first-that-works.js'
import { queueRule } from './queue-rule.js'
import { readConnections, slowFrom, waitingFrom } from './round-trips.js'
import { shapeLinks } from './shape.js'

/** What waits at a full link waits this long, and what comes then is dropped: the buffer of a usual router. */
const bufferMs = 200
/** A round trip of this length shows that a connection waits for the link; without a limit it is below a millisecond. */
const slowFromMs = 25
/** What fills the link for this many seconds waits; without a limit it is gone within milliseconds. */
const waitingS = 0.1

/**
 * Lets no more than so many bits a second through on each link: at the sender by tc tbf, where what is held back shows
 * to the sender as on a real link; where that cannot be had, at the receiver by the program behind NFQUEUE.
 *
 * Throws EnvironmentError naming what to install when neither works here.
 */
export function limitLinks(
  context: RuleContext,
  links: readonly Link[],
  bitsPerSecond: number,
): Promise<NamespaceRule> {
  return firstThatWorks('links cannot be limited', [
    { needs: 'tc tbf', put: () => limitByTokenBucket(context, links, bitsPerSecond) },
    { needs: 'iptables NFQUEUE and a C compiler', put: () => limitByQueue(context, links, bitsPerSecond) },
  ])
}

/** Limits the links by tc tbf. `met` counts how often something had to wait, and what was dropped. */
export function limitByTokenBucket(
  context: RuleContext,
  links: readonly Link[],
  bitsPerSecond: number,
): Promise<NamespaceRule> {
  // Two full packets at least, and what the link sends between two ticks of a slow kernel clock.
  const burst = Math.max(3_200, Math.ceil(bitsPerSecond / 8 / 50))
  return shapeLinks(context, links, {
    discipline: `tbf rate ${Math.round(bitsPerSecond)}bit burst ${burst}b latency ${bufferMs}ms`,
    count: ({ packets, overlimits, drops }) => ({ met: overlimits + drops, passed: packets }),
    victims: held(context, links, bitsPerSecond),
  })
}

/** Limits the links by the program behind NFQUEUE. */
export function limitByQueue(
  context: RuleContext,
  links: readonly Link[],
  bitsPerSecond: number,
): Promise<NamespaceRule> {
  const treatment = { kind: 'rate', bitsPerSecond } as const
  return queueRule(context, links, {
    treatment,
    table: 'mangle',
    victims: held(context, links, bitsPerSecond),
  })
}

/** A sender with a long round trip waits for the link, and so does one with more to send than fits on it for a while. */
function held(context: RuleContext, links: readonly Link[], bitsPerSecond: number) {
  const signs = [
    slowFrom(slowFromMs),
    waitingFrom(Math.max(1_000, Math.ceil((bitsPerSecond / 8) * waitingS))),
  ]
  return () => readConnections(context, links, signs)
}
