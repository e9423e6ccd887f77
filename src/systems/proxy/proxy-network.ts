import { FaultError } from '../../errors.js'
import {
  linkName,
  type BlockOptions,
  type DrawOptions,
  type Link,
  type Network,
  type NetworkRule,
} from '../capabilities.js'

import type { BypassSources } from './bypass.js'
import type { DirectedLink } from './directed-link.js'
import { jitteredDelay } from './jitter.js'
import type { Belonging, Effect } from './link-rule.js'
import { ProxyRule, type RuleKind } from './proxy-rule.js'
import type { Route } from './route.js'
import { tokenBucket } from './token-bucket.js'

/** Waiting for a full link is noticed from here on: round trips are much shorter without it. */
const noticedMs = 20

/** What of the traffic on its links a rule is about. */
interface Coverage {
  readonly covers: (traffic: Belonging) => boolean
  /** Only connections that the senders of the links open. */
  readonly callsOnly: boolean
}

/**
 * Network faults by the TCP proxy.
 *
 * A link carries both what its sender asks and what its sender answers. `drop` holds all of that and delivers it after
 * the heal, like lost packets that TCP sends again; new connections are accepted but reach nobody. `reject` resets the
 * connections that use the link, and refuses new ones with a reset. Several rules on one link all apply.
 *
 * It forwards streams: there are no packets that it could lose, so it does not offer that.
 */
export class ProxyNetwork implements Network {
  readonly links: readonly Link[]
  readonly #links: ReadonlyMap<string, DirectedLink>
  readonly #routes: readonly Route[]
  readonly #bypassSources: BypassSources
  readonly #rules: ProxyRule[] = []

  constructor(
    links: ReadonlyMap<string, DirectedLink>,
    routes: readonly Route[],
    bypassSources: BypassSources,
  ) {
    this.#links = links
    this.#routes = routes
    this.#bypassSources = bypassSources
    this.links = [...links.values()].map(({ link }) => link)
  }

  async block(
    links: readonly Link[],
    mode: 'drop' | 'reject',
    { level = 'packets', established = 'cut' }: BlockOptions = {},
  ): Promise<NetworkRule> {
    const since = performance.now()
    return this.#put(links, mode, () => ({ kind: mode }), {
      // An answer on a connection that the other end has opened is not about a call.
      covers: ({ half, openedAt }) =>
        (level === 'packets' || half === 'request') && (established === 'cut' || openedAt >= since),
      callsOnly: level === 'connections',
    })
  }

  async delay(
    links: readonly Link[],
    delayMs: number,
    jitterMs: number,
    { seed = 1 }: DrawOptions = {},
  ): Promise<NetworkRule> {
    if (![delayMs, jitterMs].every((ms) => Number.isFinite(ms) && ms >= 0)) {
      throw new FaultError('delay', `a delay of ${delayMs} ms give or take ${jitterMs} ms is not possible`, {
        hint: 'give milliseconds that are not negative',
      })
    }
    return this.#put(links, { slowMs: delayMs }, ({ link }) => ({
      kind: 'delay',
      delayMs: jitteredDelay(linkName(link), { delayMs, jitterMs, seed }),
    }))
  }

  /** All connections over a link share its rate. What waits makes the sender wait, nothing is lost. */
  async limit(links: readonly Link[], bitsPerSecond: number): Promise<NetworkRule> {
    if (!(Number.isFinite(bitsPerSecond) && bitsPerSecond > 0)) {
      throw new FaultError('rate', `a rate of ${bitsPerSecond} bits a second is not possible`, {
        hint: 'give a number above 0',
      })
    }
    return this.#put(links, { slowMs: noticedMs }, () => tokenBucket(bitsPerSecond))
  }

  /** Takes away every rule that is still in place. */
  async clear(): Promise<void> {
    await Promise.all(this.#rules.splice(0).map((rule) => rule.remove()))
  }

  #put(
    links: readonly Link[],
    kind: RuleKind,
    makeEffect: (link: DirectedLink) => Effect,
    { covers, callsOnly }: Coverage = { covers: () => true, callsOnly: false },
  ): NetworkRule {
    const chosen = [...new Set(links.map((link) => this.#find(link)))]
    if (chosen.length === 0) {
      throw new FaultError('no-links', 'a network fault was given no link to act on', {
        hint: `the links are ${[...this.#links.keys()].join(', ')}`,
      })
    }
    const rule = new ProxyRule({
      links: chosen,
      routes: this.#routes.filter(
        ({ forward, backward }) => chosen.includes(forward) || (!callsOnly && chosen.includes(backward)),
      ),
      kind,
      makeEffect,
      covers,
      bypassSources: this.#bypassSources,
    })
    this.#rules.push(rule)
    return rule
  }

  #find(link: Link): DirectedLink {
    const found = this.#links.get(linkName(link))
    if (found !== undefined) return found
    throw new FaultError('unknown-link', `there is no link ${linkName(link)} under the fault proxy`, {
      hint: `the links are ${[...this.#links.keys()].join(', ')}; the \`proxy\` option of processes() decides which there are`,
    })
  }
}
