import { EnvironmentError } from '../../../errors.js'
import type { Link } from '../../capabilities.js'
import type { NamespaceRule, RuleContext } from './context.js'
import { queueDelay } from './queue-delay.js'
import { readSlowConnections } from './round-trips.js'
import { isUnknownDiscipline, shapeLinks } from './shape.js'

/**
 * Delays the links: at the receiver by the queue delayer, which counts every packet that it holds; where that cannot
 * be had, at the sender by tc netem.
 *
 * Throws EnvironmentError naming what to install when neither works here.
 */
export async function delayLinks(
  context: RuleContext,
  links: readonly Link[],
  { delayMs, jitterMs }: { delayMs: number; jitterMs: number },
): Promise<NamespaceRule> {
  // Half of the delay: the round trip that TCP keeps is an average that follows slowly.
  const slowFromMs = Math.max(1, Math.round((delayMs - jitterMs) / 2))
  const victims = () => readSlowConnections(context, links, slowFromMs)
  try {
    return await queueDelay(context, links, { delayMs, jitterMs, victims })
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error
    try {
      const discipline = `netem delay ${delayMs}ms ${jitterMs}ms limit 100000`
      return await shapeLinks(context, links, { discipline, victims })
    } catch (second) {
      if (!isUnknownDiscipline(second)) throw second
      const missing = `${error.missing}, or a kernel with tc netem`
      throw new EnvironmentError(missing, `links cannot be delayed: ${error.summary}`, error.hint ?? '')
    }
  }
}
