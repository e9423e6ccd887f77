import { linkName, type LinkCounter, type NetworkRule } from '../../systems/capabilities.js'
import type { InjectContext } from '../fault.js'
import type { NetworkFault } from './network-injection.js'

/** After so long without anything met, it is time to ask why. */
const askAfterMs = 400

/** Finds out, while nothing meets a rule, whether its links carry traffic at all. */
export interface WatchBeside {
  /** Called with each reading of the rule's counters. */
  look(counters: readonly LinkCounter[]): Promise<void>
  /** Traffic that crosses the links and does not meet the rule, in words; null when none was seen. */
  missed(): string | null
  end(): Promise<void>
}

/**
 * A rule that is in a chain or on an interface which the traffic does not cross counts nothing, exactly as on a link
 * without traffic. A second rule, which only counts and stands where packets are delivered, tells the two apart. It is
 * put there only when the first has met nothing for a while, and where the system can.
 */
export function watchBeside(context: InjectContext, fault: NetworkFault): WatchBeside {
  const since = performance.now()
  let watch: NetworkRule | null = null
  let asked = false
  let ended = false
  let seen: readonly LinkCounter[] = []
  return {
    async look(counters) {
      const met = counters.some((counter) => counter.met > 0)
      if (met || fault.spares === 'connections') {
        seen = []
        return
      }
      if (!asked && performance.now() - since >= askAfterMs) {
        asked = true
        // Without it the cause only says less.
        watch = (await context.network.watch?.(fault.links).catch(() => null)) ?? null
        if (ended) await watch?.remove()
      }
      seen = (await watch?.counters()) ?? []
    },
    missed() {
      const crossing = seen.filter(({ passed }) => passed > 0)
      if (crossing.length === 0) return null
      const counted = crossing.map(({ link, passed }) => `${passed} on ${linkName(link)}`).join(', ')
      return `traffic crosses the links and does not meet the rule (${counted}, 0 ${fault.verb}): the rule is in a chain, or on an interface, that this traffic does not cross`
    },
    async end() {
      ended = true
      await watch?.remove()
    },
  }
}
